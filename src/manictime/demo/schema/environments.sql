-- The devices.

CREATE TABLE Ar_Environment (
    EnvironmentId text NOT NULL CONSTRAINT PK_Ar_Environment PRIMARY KEY,
    DeviceDisplayName text NOT NULL,
    DeviceName text NULL,
    DeviceSystemName text NULL,
    DeviceAddress text NULL,
    OperatingSystem text NULL,
    DotNet text NULL,
    Application text NULL,
    UpdatedUtcTime datetime NOT NULL,
    Timestamp text NOT NULL,
    Other text NOT NULL
);

CREATE INDEX IX_Ar_Environment_DeviceDisplayName ON Ar_Environment (DeviceDisplayName);
