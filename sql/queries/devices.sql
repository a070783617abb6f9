-- A row is a device with its operating system and the version of its tracker.
SELECT device, operating_system, application, dot_net
FROM devices
ORDER BY device
