import { Effect } from "effect"
import { Installation } from "../../../core/ports/Installation.ts"

/** The network whose payments are settled by this installation. */
export const ourNetwork = Effect.map(Installation, ({ mode }) => `payport:${mode}`)
