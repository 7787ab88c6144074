import { Context, type Effect } from "effect"

/** Draws QR codes. */
export class QrWriter extends Context.Service<
  QrWriter,
  {
    readonly svg: (content: string) => Effect.Effect<string>
    readonly png: (content: string) => Effect.Effect<Uint8Array>
  }
>()("payport/core/ports/QrWriter") {}
