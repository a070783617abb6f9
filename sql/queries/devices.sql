-- A row is a device.
SELECT device, operating_system, application, dot_net
FROM devices
ORDER BY device
