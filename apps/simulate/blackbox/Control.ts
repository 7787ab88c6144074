import type { ChannelFaults, SimulatedAction } from "../../../core/ports/Sandbox.ts"
import type { Timestamp } from "../../../core/shared/Timestamp.ts"
import type { Actor, ApiClient } from "./ApiClient.ts"
import { CannotPlay, type HttpConnection } from "./HttpConnection.ts"

/** An account that makes a request: our name for it, and its key. */
type Who = Pick<Actor, "name" | "key">

/** A channel, as the tester of a service sees it. */
export interface ControlledChannel {
  readonly channel: string
  /** The secret that signs its callbacks. */
  readonly secret: string
  readonly faults: Partial<ChannelFaults>
}

/** Controls the surroundings of a service: time, payers, channels and messages. */
export interface Control {
  /** Moves the clock forward by whole seconds and runs due work; returns the new time. */
  readonly advance: (seconds: number) => Promise<Timestamp>
  /** Acts as the payer or the channel of an account's payment. */
  readonly simulate: (who: Who, id: string, action: SimulatedAction) => Promise<unknown>
  readonly channels: () => Promise<ReadonlyArray<ControlledChannel>>
  /** Switches faults on or off; the others stay as they are. */
  readonly setFaults: (channel: string, faults: Partial<ChannelFaults>) => Promise<unknown>
  /** Returns the texts that people got about an account's verification, the oldest first. */
  readonly inbox: (who: Who, verification_id: string) => Promise<ReadonlyArray<string>>
}

/** Makes the control of payport's own sandbox, with the key of any account. */
export const sandboxControl = (
  http: HttpConnection,
  client: ApiClient,
  key: string,
  advance: Control["advance"],
): Control => ({
  advance,
  simulate: (who, id, action) =>
    client.post(who, `/v1/sandbox/payment-intents/${id}/simulate`, { action }),
  channels: async () => {
    const path = "/v1/sandbox/channels"
    const reply = await http.send({ method: "GET", path, key })
    if (reply?.status !== 200) {
      throw new CannotPlay(
        `GET ${path} was answered ${reply?.status}: ${reply?.text.slice(0, 200)}`,
      )
    }
    return (reply.json as { readonly data: ReadonlyArray<ControlledChannel> }).data
  },
  setFaults: (channel, faults) => {
    const path = `/v1/sandbox/channels/${channel}/faults`
    return http.send({ method: "PUT", path, key, body: faults })
  },
  inbox: async (who, id) => {
    const path = `/v1/sandbox/messages?verification_id=${id}`
    const found = await client.get<{ readonly data: ReadonlyArray<{ readonly text: string }> }>(
      who,
      path,
    )
    return (found?.data ?? []).map(({ text }) => text)
  },
})
