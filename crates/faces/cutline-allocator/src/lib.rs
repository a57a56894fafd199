//! How do Cutline's programs share the memory that they have freed?
//!
//! The allocator of GNU systems has several stores of memory, up to eight for each core: a thread takes what it needs from one of them, and
//! what it frees goes back there. The stages of a release have different threads, so that what one has freed is of no use to the next, which
//! asks the system for more. With no more stores than cores a release takes two thirds of the memory, and less time: the system has to hand
//! out and clear less of it.
//!
//! Libraries leave the choice to the program: only the command and the benchmarks call this.

/// Lets threads share memory as far as they do not run at the same time. To be called first of all, before there are any threads. What the
/// environment says (`MALLOC_ARENA_MAX`, `GLIBC_TUNABLES`) goes before. On systems with another allocator it does nothing.
pub fn share_freed_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    if ["MALLOC_ARENA_MAX", "GLIBC_TUNABLES"].iter().all(|variable| std::env::var_os(variable).is_none()) {
        gnu::set_most_stores(std::thread::available_parallelism().map_or(1, usize::from));
    }
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod gnu {
    /// Whether the allocator has taken it.
    #[allow(unsafe_code, reason = "the bindings declare every function of C as unsafe; this one stores a number")]
    pub(super) fn set_most_stores(stores: usize) -> bool {
        let stores = i32::try_from(stores).unwrap_or(i32::MAX);
        // SAFETY: no pointer is passed, and any number may be. A thread that allocated at the same time would see the old number or the new
        // one; there is none yet where a program calls this first.
        unsafe { libc::mallopt(libc::M_ARENA_MAX, stores) == 1 }
    }

    #[cfg(test)]
    mod tests {
        #[test]
        fn the_allocator_takes_it() {
            assert!(super::set_most_stores(2));
        }
    }
}
