-- A row is a device with its operating system and its ManicTime version.
SELECT device, operating_system, application, dot_net
FROM devices
ORDER BY device
