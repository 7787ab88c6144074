import type { Answer, Received } from "../../simulate/blackbox/Receiver.ts"
import type { Place } from "./Hooks.ts"
import { openReceived, type Told } from "./openReceived.ts"
import type { Service } from "./Service.ts"
import { flaw, want } from "./verdicts.ts"
import { Endpoint } from "./Wire.ts"

const EVENTS = ["succeeded", "failed", "expired", "cancelled"].map(
  (name) => `payment_intent.${name}`,
)

interface Registered {
  readonly place: Place
  readonly secret: string
}

/** Registers a receiver with this response. */
export const register = async (
  service: Service,
  answer?: () => Answer,
  fields: object = {},
): Promise<Registered> => {
  const place = service.hooks.at(answer)
  const body = { url: place.url, description: "Graded", enabled_events: EVENTS, ...fields }
  const asked = {
    who: service.seller,
    method: "POST",
    path: "/v1/webhook-endpoints",
    body,
  } as const
  const { id, secret } = await service.must(201, Endpoint, asked)
  const right = id.startsWith("we_") && secret.startsWith("whsec_")
  want(right, "an id we_… and a secret whsec_…", `${id}, ${secret.slice(0, 6)}…`, "Name them so.")
  return { place, secret }
}

/** Makes a payment that ends at once; returns its id. */
export const rejected = async (service: Service): Promise<string> => {
  const { id } = await service.create()
  await service.simulate(id, "reject")
  return id
}

/** Returns the event of a delivery; ends the check as failed if it cannot be trusted. */
export const opened = (received: Received, { secret }: Registered, key?: Uint8Array): Told => {
  const found = openReceived(received, secret, key)
  return "event" in found
    ? found.event
    : flaw("a signature of the endpoint's secret", found.flaw, "Sign the body as it is sent.")
}

/** Returns the events about a payment that a receiver got. */
export const toldOf = (registered: Registered, id: string): ReadonlyArray<Told> =>
  registered.place
    .received()
    .map((received) => opened(received, registered))
    .filter(({ data }) => data["id"] === id)

/** Waits for a receiver's events about a payment, and expects only ones of that type. */
export const hears = async (service: Service, registered: Registered, id: string, type: string) => {
  const before = registered.place.received().length
  await service.advance(1)
  if (toldOf(registered, id).length === 0) await registered.place.until(before + 1)
  const told = toldOf(registered, id)
  const [first] = told
  const seen = told.map((event) => event.type).join(", ") || "nothing"
  const advice = "Store the event with the move that it tells of, and send it at once."
  const right = told.every((event) => event.type === type)
  return first !== undefined && right ? first : flaw(type, seen, advice)
}
