//! Converts `ManicTime`'s states of the computer to [`ComputerState`]
//! (docs/spec/time.md#active-intervals).

use dayledger_source::ComputerState;

/// Returns the state of the computer that corresponds to the key of a group.
pub(crate) fn state_of_key(key: &str) -> ComputerState {
    match key {
        "ManicTime/Active" => ComputerState::Active,
        "ManicTime/Away" => ComputerState::Away,
        "ManicTime/SessionLocked" => ComputerState::Locked,
        "ManicTime/PowerOff" => ComputerState::Off,
        _ => ComputerState::Unknown,
    }
}

/// Returns the state of the computer with this English name. For a name in another language, returns
/// `Unknown`.
pub(crate) fn state_of_name(name: &str) -> ComputerState {
    match name.to_lowercase().as_str() {
        "active" => ComputerState::Active,
        "away" => ComputerState::Away,
        "session lock" => ComputerState::Locked,
        "power off" => ComputerState::Off,
        _ => ComputerState::Unknown,
    }
}

/// Returns the state of the computer during an activity. `key` is the state from the key of the activity's group, and
/// takes precedence. `name` is the state from the name. If there is no `key`, the flag `is_active` takes precedence
/// over `name`.
pub(crate) fn state_of_activity(
    key: Option<ComputerState>,
    is_active: Option<bool>,
    name: Option<ComputerState>,
) -> ComputerState {
    match (key, is_active, name) {
        (Some(state), _, _) => state,
        (None, Some(true), _) => ComputerState::Active,
        // The flag takes precedence over the name. So the computer was not active, and its actual state isn't known.
        (None, Some(false), Some(ComputerState::Active)) => ComputerState::Unknown,
        (None, _, name) => name.unwrap_or(ComputerState::Unknown),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(key: Option<&str>, is_active: Option<bool>, name: Option<&str>) -> &'static str {
        state_of_activity(key.map(state_of_key), is_active, name.map(state_of_name)).name()
    }

    #[test]
    fn key_decides_before_flag_and_name() {
        for (key, expected) in [
            ("ManicTime/Active", "active"),
            ("ManicTime/Away", "away"),
            ("ManicTime/SessionLocked", "locked"),
            ("ManicTime/PowerOff", "off"),
            ("manictime/active", "unknown"),
            ("Vendor/State", "unknown"),
        ] {
            for is_active in [None, Some(true), Some(false)] {
                for name in [None, Some("Active"), Some("Away"), Some("Aktiv")] {
                    assert_eq!(state(Some(key), is_active, name), expected, "{key} {is_active:?} {name:?}");
                }
            }
        }
    }

    #[test]
    fn set_flag_decides_before_the_name() {
        for name in [None, Some("Aktiv"), Some("Away")] {
            assert_eq!(state(None, Some(true), name), "active", "{name:?}");
        }
    }

    #[test]
    fn name_decides_without_a_key_and_a_set_flag() {
        for is_active in [None, Some(false)] {
            for (name, expected) in [
                (Some("AWAY"), "away"),
                (Some("Session lock"), "locked"),
                (Some("Power off"), "off"),
                (Some("Abwesend"), "unknown"),
                (None, "unknown"),
            ] {
                assert_eq!(state(None, is_active, name), expected, "{is_active:?} {name:?}");
            }
        }
        assert_eq!(state(None, None, Some("active")), "active");
        assert_eq!(state(None, Some(false), Some("Active")), "unknown", "the flag contradicts the name");
    }
}
