import { Schema } from "effect"

/** No PostgreSQL binaries are installed, or exist, for this operating system and processor. */
export class UnsupportedPlatform extends Schema.TaggedError<UnsupportedPlatform>()(
  "UnsupportedPlatform",
  { platform: Schema.String, architecture: Schema.String, message: Schema.String },
) {}

/** Another living process serves from the same data folder. `pid` is null if it is unknown. */
export class DataFolderInUse extends Schema.TaggedError<DataFolderInUse>()("DataFolderInUse", {
  folder: Schema.String,
  pid: Schema.NullOr(Schema.Int),
  message: Schema.String,
}) {}

/** The data folder, or another folder that PostgreSQL needs, cannot be used as it is. */
export class DataFolderUnusable extends Schema.TaggedError<DataFolderUnusable>()(
  "DataFolderUnusable",
  { folder: Schema.String, message: Schema.String, cause: Schema.optional(Schema.Defect()) },
) {}

/** PostgreSQL itself refused. The message ends with PostgreSQL's own words. */
export class PostgresFailed extends Schema.TaggedError<PostgresFailed>()("PostgresFailed", {
  folder: Schema.String,
  step: Schema.Literals(["initialise", "start", "connect"]),
  message: Schema.String,
  cause: Schema.optional(Schema.Defect()),
}) {}
