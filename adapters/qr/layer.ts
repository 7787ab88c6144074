import { Layer } from "effect"
import * as reader from "./reader.ts"
import * as writer from "./writer.ts"

/** Reads QR codes and draws them. */
export const layer = Layer.merge(reader.layer(), writer.layer)
