import { Layer } from "effect"
import { uuidv7 } from "uuidv7"
import { Ids } from "../../core/ports/Ids.ts"

/** Identifiers that grow within this process and that no other process makes. */
export const layer: Layer.Layer<Ids> = Layer.succeed(Ids, { uuid: uuidv7 })
