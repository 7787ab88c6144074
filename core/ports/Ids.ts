import { Context } from "effect"
import type { IdSource } from "../shared/Id.ts"

/** Where identifiers come from. */
export class Ids extends Context.Service<Ids, IdSource>()("payport/core/ports/Ids") {}
