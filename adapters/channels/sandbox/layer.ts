import { Layer } from "effect"
import type { Channels } from "../../../core/ports/Channels.ts"
import type { CallbackTransport } from "./CallbackTransport.ts"
import * as Books from "./Books.ts"
import * as ChannelSettings from "./ChannelSettings.ts"
import * as Mandates from "./Mandates.ts"
import * as CallbackSender from "./CallbackSender.ts"
import * as sandboxChannels from "./sandboxChannels.ts"
import * as sandboxControls from "./sandboxControls.ts"
import * as sandboxWork from "./sandboxWork.ts"

type Simulated = typeof sandboxChannels.layer

/**
 * The whole sandbox of an installation: `Channels`, the worker's `DueWork` and the controls of
 * `Sandbox`. `beside` adds the host's own channels to the simulated ones. The transport sends the
 * callbacks of the simulated ones. What it and the controls do, such as the work that falls due
 * when the clock moves, they do with all channels.
 */
export const layerBeside = <E, R, F, S>(
  transport: Layer.Layer<CallbackTransport, E, R>,
  beside: (simulated: Simulated) => Layer.Layer<Channels, F, S>,
) =>
  sandboxControls.layer.pipe(
    Layer.provideMerge(sandboxWork.layer),
    Layer.provide(CallbackSender.layer),
    Layer.provide(transport),
    Layer.provideMerge(beside(sandboxChannels.layer)),
    Layer.provide(Books.layer),
    Layer.provide(Mandates.layer),
    Layer.provide(ChannelSettings.layer),
  )

/** The same where all channels are simulated. */
export const layer = <E, R>(transport: Layer.Layer<CallbackTransport, E, R>) =>
  layerBeside(transport, (simulated) => simulated)
