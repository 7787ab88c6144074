import { type ConsumerList, CONSUMERS } from "../../../../core/webhooks/consumers/ConsumerList.ts"
import type { Feed } from "../../../../core/webhooks/consumers/Feed.ts"
import type { Delivery } from "../../../../core/webhooks/deliveries/Delivery.ts"
import type { Endpoint } from "../../../../core/webhooks/endpoints/Endpoint.ts"
import type { Event } from "../../../../core/webhooks/events/Event.ts"
import type { WebhookKey } from "../../../../core/webhooks/keys/WebhookKey.ts"
import { T0, uuid, id, type Said } from "./ids.ts"

/** The event for the success of intent 1, whose deliveries are due at once. */
export const anEvent = ({ n = 1, ...said }: Said<Event> = {}): Event => ({
  id: id("evt", n),
  version: 1,
  account_id: id("acct", 1),
  type: "payment_intent.succeeded",
  service_id: uuid(1),
  subject_id: id("pi", 1),
  data: { id: id("pi", 1), status: "succeeded" },
  traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
  created_at: T0,
  due_at: T0,
  ...said,
})

/** The delivery of the event with the same number to service 1's endpoint, due at once. */
export const aDelivery = ({ n = 1, ...said }: Said<Delivery> = {}): Delivery => ({
  id: id("wd", n),
  version: 1,
  account_id: id("acct", 1),
  event_id: id("evt", n),
  event_type: "payment_intent.succeeded",
  endpoint_id: null,
  service_id: uuid(1),
  url: "https://seller.example/hooks",
  key_id: null,
  status: "pending",
  attempts: [],
  error: null,
  replay_of: null,
  first_retry: 0,
  created_at: T0,
  due_at: T0,
  ...said,
})

/** The endpoint in the n-th place of account 1, which receives all events. */
export const anEndpoint = ({ n = 1, ...said }: Said<Endpoint> = {}): Endpoint => ({
  id: id("we", n),
  version: 1,
  account_id: id("acct", 1),
  place: n,
  url: "https://receiver.example/hooks",
  description: null,
  enabled_events: ["*"],
  status: "enabled",
  disabled_reason: null,
  disabled_at: null,
  first_failure_at: null,
  secret: "sealed:BBBB",
  previous_secrets: [],
  encryption: null,
  created_at: T0,
  updated_at: T0,
  ...said,
})

/** The key in the n-th place of account 1. */
export const aWebhookKey = ({ n = 1, ...said }: Said<WebhookKey> = {}): WebhookKey => ({
  id: id("whk", n),
  version: 1,
  account_id: id("acct", 1),
  place: n,
  key_type: "x25519",
  public_key: "hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo=",
  fingerprint: "fp_0123456789abcdef",
  label: null,
  created_at: T0,
  ...said,
})

/** What a consumer of the host still has to receive about intent 1: one event. */
export const aFeed = ({ n = 1, ...said }: Said<Feed> = {}): Feed => ({
  id: id("feed", n),
  version: 1,
  consumer: "orders",
  about: id("pi", n),
  waiting: [id("evt", n)],
  failures: 0,
  created_at: T0,
  due_at: T0,
  ...said,
})

/** The consumers, with the one of {@link aFeed}. */
export const CONSUMER_LIST: ConsumerList = {
  id: CONSUMERS,
  version: 1,
  names: ["orders"],
  created_at: T0,
}
