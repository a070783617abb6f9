-- A row is a device without a computer-usage timeline or without a Documents timeline. The device recorded applications
-- in the local range [$start, $end). `has_computer_usage`, `has_documents` and `has_websites` show which timelines the
-- device has. A Documents timeline also contains websites (docs/spec/manictime.md#documents). `$device` is one device,
-- or null for all devices.
WITH device_timelines AS (
    SELECT
        device,
        bool_or(role = 'applications' AND first_local < $end AND last_local > $start) AS has_applications,
        bool_or(role = 'computer_usage') AS has_computer_usage,
        bool_or(role = 'documents') AS has_documents,
        bool_or(role IN ('documents', 'websites')) AS has_websites
    FROM recorded_bounds
    WHERE $device IS NULL OR device = $device
    GROUP BY device
)
SELECT device, has_computer_usage, has_documents, has_websites
FROM device_timelines
WHERE has_applications AND NOT (has_computer_usage AND has_documents)
ORDER BY device
