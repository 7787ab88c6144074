import { Schema } from "effect"

/** No PostgreSQL binaries are installed, or exist, for this operating system and processor. */
export class UnsupportedPlatform extends Schema.TaggedError<UnsupportedPlatform>()(
  "UnsupportedPlatform",
  { platform: Schema.String, architecture: Schema.String, message: Schema.String },
) {}

/** Another living process serves from the same data folder; `pid` is null if it did not say. */
export class DataFolderInUse extends Schema.TaggedError<DataFolderInUse>()("DataFolderInUse", {
  folder: Schema.String,
  pid: Schema.NullOr(Schema.Int),
  message: Schema.String,
}) {}

/** The data folder, or one that PostgreSQL needs beside it, cannot be used as it is. */
export class DataFolderUnusable extends Schema.TaggedError<DataFolderUnusable>()(
  "DataFolderUnusable",
  { folder: Schema.String, message: Schema.String, cause: Schema.optional(Schema.Defect()) },
) {}

/** PostgreSQL itself refused: the message ends with what it wrote about the reason. */
export class PostgresFailed extends Schema.TaggedError<PostgresFailed>()("PostgresFailed", {
  folder: Schema.String,
  step: Schema.Literals(["initialise", "start", "connect"]),
  message: Schema.String,
  cause: Schema.optional(Schema.Defect()),
}) {}
