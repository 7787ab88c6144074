import { Context } from "effect"
import type { IdSource } from "../shared/Id.ts"

/** The source of identifiers. */
export class Ids extends Context.Service<Ids, IdSource>()("payport/core/ports/Ids") {}
