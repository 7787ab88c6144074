import { Layer } from "effect"
import type { CallbackTransport } from "./CallbackTransport.ts"
import * as Books from "./Books.ts"
import * as ChannelSettings from "./ChannelSettings.ts"
import * as Mandates from "./Mandates.ts"
import * as CallbackSender from "./CallbackSender.ts"
import * as sandboxChannels from "./sandboxChannels.ts"
import * as sandboxControls from "./sandboxControls.ts"
import * as sandboxWork from "./sandboxWork.ts"

/**
 * The whole sandbox of an installation: `Channels`, the worker's `DueWork` and the controls of
 * `Sandbox`. The transport sends its channels' callbacks. It may use these channels itself.
 */
export const layer = <E, R>(transport: Layer.Layer<CallbackTransport, E, R>) =>
  sandboxControls.layer.pipe(
    Layer.provideMerge(sandboxWork.layer),
    Layer.provide(CallbackSender.layer),
    Layer.provide(transport),
    Layer.provideMerge(sandboxChannels.layer),
    Layer.provide(Books.layer),
    Layer.provide(Mandates.layer),
    Layer.provide(ChannelSettings.layer),
  )
