-- What ManicTime keeps for itself.

CREATE TABLE Registry (
    RegistryKey text NOT NULL CONSTRAINT PK_Registry PRIMARY KEY,
    Value text NULL,
    Timestamp text NOT NULL,
    UpdatedUtcTime datetime NOT NULL
);

CREATE TABLE Sequence (
    Name text NOT NULL CONSTRAINT PK_Sequence PRIMARY KEY,
    Value bigint NOT NULL
);

CREATE TABLE Document (
    DocumentType text NOT NULL,
    Id text NOT NULL,
    Key text NOT NULL,
    IndexValue text NULL,
    Owner text NULL,
    UpdatedUtcTime datetime NOT NULL,
    Timestamp text NULL,
    Content text NOT NULL,
    CONSTRAINT PK_Document PRIMARY KEY (DocumentType, Id)
);

CREATE UNIQUE INDEX IX_Document_Key ON Document (DocumentType, Key);
CREATE INDEX IX_Document_IndexValue ON Document (DocumentType, IndexValue);
CREATE INDEX IX_Document_Owner ON Document (DocumentType, Owner);
