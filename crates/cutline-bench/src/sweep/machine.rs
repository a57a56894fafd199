//! Which machine is this? As far as the system tells; what it does not tell is left out.

use std::fs;

use cutline::cores;

/// Names the machine by its cores, clock and memory, and says how busy it is.
pub(super) fn describe() -> String {
    let text = |path| fs::read_to_string(path).unwrap_or_default();
    let system = format!("{} on {}", std::env::consts::OS, std::env::consts::ARCH);
    let known =
        [clock(&text("/proc/cpuinfo")), memory(&text("/proc/meminfo")), Some(system), load(&text("/proc/loadavg"))];
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

/// What other processes did in the last minute.
fn load(loadavg: &str) -> Option<String> {
    let load = loadavg.split_whitespace().next()?;
    Some(format!("load average {load} before the run"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_tells_is_named() {
        let cpuinfo = "processor\t: 0\nmodel name\t: Some CPU\ncpu MHz\t\t: 2596.132\n\nmodel name\t: Some CPU\ncpu MHz : 2600.0\n";
        assert_eq!(clock(cpuinfo).as_deref(), Some("Some CPU at 2.6 GHz"));
        assert_eq!(memory("MemFree: 1 kB\nMemTotal:       24576000 kB\n").as_deref(), Some("23 GiB of memory"));
        assert_eq!(load("0.35 1.08 1.80 1/99 7\n").as_deref(), Some("load average 0.35 before the run"));
    }

    #[test]
    fn what_it_does_not_tell_is_left_out() {
        assert_eq!(clock("processor : 0\nBogoMIPS : 50.00\n"), None);
        assert_eq!(clock("cpu MHz : fast\nmodel name : M"), Some("M".to_owned()));
        assert_eq!((memory(""), load("")), (None, None));
        assert!(describe().contains("core"));
    }
}
