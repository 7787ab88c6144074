import { Context } from "effect"

/** Where identifiers come from. */
export class Ids extends Context.Service<
  Ids,
  {
    /** A new UUIDv7 in canonical lower-case form. */
    readonly uuid: () => string
  }
>()("payport/core/ports/Ids") {}
