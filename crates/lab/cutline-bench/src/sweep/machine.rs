//! Which machine is this? As far as the system tells; what it does not tell is left out.

use std::fs;

use cutline::cores;

/// Names the machine by its cores, clock and memory.
pub(super) fn describe() -> String {
    let text = |path| fs::read_to_string(path).unwrap_or_default();
    let system = format!("{} on {}", std::env::consts::OS, std::env::consts::ARCH);
    let known = [clock(&text("/proc/cpuinfo")), memory(&text("/proc/meminfo")), Some(system)];
    let known: Vec<String> = known.into_iter().flatten().collect();
    let cores = cores();
    format!("{cores} core{}, {}", if cores == 1 { "" } else { "s" }, known.join(", "))
}

/// The model and the fastest clock of the processors.
fn clock(cpuinfo: &str) -> Option<String> {
    let values = |name: &'static str| {
        let fields = cpuinfo.lines().filter_map(|line| line.split_once(':'));
        fields.filter(move |(field, _)| field.trim() == name).map(|(_, value)| value.trim())
    };
    let megahertz = values("cpu MHz").filter_map(|value| value.parse::<f64>().ok()).reduce(f64::max);
    let clock = megahertz.map(|megahertz| format!("{:.1} GHz", megahertz / 1000.0));
    let known: Vec<String> = values("model name").next().map(str::to_owned).into_iter().chain(clock).collect();
    (!known.is_empty()).then(|| known.join(" at "))
}

fn memory(meminfo: &str) -> Option<String> {
    let line = meminfo.lines().find(|line| line.starts_with("MemTotal:"))?;
    let kibibytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(format!("{:.0} GiB of memory", kibibytes / f64::from(1 << 20)))
}

/// Time of the cores so far, in ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Usage {
    /// All of it, idle or not.
    all: u64,
    /// When they had work, whoever's; what a host took from a virtual machine counts, too.
    busy: u64,
    /// When they worked for this process and for those that it started and waited for.
    own: u64,
}

impl Usage {
    /// Until now, where the system tells.
    pub(super) fn now() -> Option<Self> {
        let text = |path| fs::read_to_string(path).ok();
        Usage::parse(&text("/proc/stat")?, &text("/proc/self/stat")?)
    }

    fn parse(all: &str, own: &str) -> Option<Self> {
        let number = |field: &str| field.parse::<u64>().ok();
        // user, nice, system, idle, iowait, irq, softirq, steal; guests are in user already.
        let cores = all.lines().next()?.strip_prefix("cpu ")?.split_whitespace().take(8);
        let ticks = cores.map(number).collect::<Option<Vec<u64>>>()?;
        let total: u64 = ticks.iter().sum();
        // The name of the program comes before these fields and may contain spaces.
        let fields = own.rsplit_once(')')?.1.split_whitespace().skip(11).take(4);
        let own = fields.map(number).sum::<Option<u64>>()?;
        Some(Usage { all: total, busy: total - ticks.get(3)? - ticks.get(4)?, own })
    }

    /// The share of the cores' time since then that other processes had, in percent.
    pub(super) fn others_since(self, then: Usage) -> f64 {
        let busy = self.busy.saturating_sub(then.busy).saturating_sub(self.own.saturating_sub(then.own));
        100.0 * busy as f64 / self.all.saturating_sub(then.all).max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_tells_is_named() {
        let cpuinfo = "processor\t: 0\nmodel name\t: Some CPU\ncpu MHz\t\t: 2596.132\n\nmodel name\t: Some CPU\ncpu MHz : 2600.0\n";
        assert_eq!(clock(cpuinfo).as_deref(), Some("Some CPU at 2.6 GHz"));
        assert_eq!(memory("MemFree: 1 kB\nMemTotal:       24576000 kB\n").as_deref(), Some("23 GiB of memory"));
    }

    #[test]
    fn what_it_does_not_tell_is_left_out() {
        assert_eq!(clock("processor : 0\nBogoMIPS : 50.00\n"), None);
        assert_eq!(clock("cpu MHz : fast\nmodel name : M"), Some("M".to_owned()));
        assert_eq!((memory(""), Usage::parse("", "")), (None, None));
        assert!(describe().contains("core"));
    }

    #[test]
    fn the_time_of_others_is_what_is_not_idle_and_not_ours() {
        let own = |user: u64| format!("7 (a) b) R 1 1 1 0 -1 0 0 0 0 0 {user} 10 20 30 20 0 1 0 0");
        let then = Usage::parse("cpu  100 0 50 800 50 0 0 0 0 0\ncpu0 1 1\n", &own(40)).unwrap();
        assert_eq!(then, Usage { all: 1000, busy: 150, own: 100 });
        let now = Usage::parse("cpu  500 0 150 1200 100 0 0 50 0 0\n", &own(390)).unwrap();
        assert_eq!(now.others_since(then), 20.0);
    }
}
