import { DAY, HOUR, MINUTE, SECOND } from "../../core/shared/Timestamp.ts"
import type { Scenario } from "./Scenario.ts"

const one = (persona: string) => [{ weight: 1, persona }] as const

/** The default mix, with the faults that the seed draws. */
export const mixed: Scenario = {
  name: "mixed",
  about: "A bit of everything, with the faults that the seed draws",
  payments: 1_000,
  load: { shape: "steady", mean_gap_ms: 1_200 },
  payers: one("typical"),
  payees: one("typical"),
  one_time: 0.3,
  keyed: 0.8,
  reuses_key: 0.1,
  buys_again: 0.1,
  nosy: 0.05,
  faults: { base: "drawn" },
}

/** Makes a scenario from the default mix and its differences. */
const scenario = (name: string, about: string, other: Partial<Scenario>): Scenario => ({
  ...mixed,
  name,
  about,
  ...other,
})

/** Only these faults are on. */
const only = (set: NonNullable<Scenario["faults"]["set"]>) => ({ base: "none", set }) as const

const calm = only({ store_latency_ms: 5 })

/** The named scenarios. */
export const LIBRARY: ReadonlyArray<Scenario> = [
  mixed,
  scenario("flash_sale", "Hundreds buy in the same seconds, and each seller captures at once", {
    payments: 600,
    load: { shape: "bursts", size: 200, pause_ms: 30 * SECOND },
    payers: one("hasty"),
    payees: one("brisk"),
    faults: only({ store_latency_ms: 15, client_parallel: 0.3 }),
  }),
  scenario("sleepy_payer", "Payers open charges late and decide to the millisecond of their end", {
    payments: 200,
    payers: one("sleepy"),
    faults: only({ store_latency_ms: 5, callback_at_expiry: 0.3 }),
  }),
  scenario("double_scan", "Payers open every charge that they are offered and pay more than one", {
    payments: 200,
    payers: one("double_scanner"),
    services: ["Two wallets to choose from", "A bank and two wallets", "Stablecoins"],
    one_time: 0,
    faults: calm,
  }),
  scenario("wallet_without_funds", "Nearly nobody has enough money, and those who have try again", {
    payments: 200,
    payers: one("broke"),
    buys_again: 0.5,
    faults: calm,
  }),
  scenario("channel_outage", "Two channels go away in mid-traffic, one of them for six hours", {
    payments: 300,
    faults: only({ store_latency_ms: 5, outages_per_hour: 0.001 }),
    incidents: [
      { what: "channel_away", channel: "wallet_a", after_ms: MINUTE, lasts_ms: 6 * HOUR },
      { what: "channel_away", channel: "wallet_b", after_ms: 3 * MINUTE, lasts_ms: 4 * MINUTE },
    ],
  }),
  scenario(
    "callback_storm",
    "Every callback comes up to eight times, out of order, late, or not at all",
    {
      payments: 200,
      faults: only({
        store_latency_ms: 10,
        callback_duplicated: 1,
        callback_reordered: 0.6,
        callback_lost: 0.3,
        callback_delay_ms: MINUTE,
        callback_unanswered: 0.2,
      }),
    },
  ),
  scenario("receiver_down_for_five_days", "No receiver of webhooks answers for five days", {
    payments: 100,
    faults: calm,
    incidents: [{ what: "receivers_down", after_ms: 0, lasts_ms: 5 * DAY }],
  }),
  scenario(
    "key_rotation",
    "Sellers rotate secrets and keys all the time, while webhooks are on their way",
    {
      payments: 200,
      faults: only({ store_latency_ms: 10, keys_changed: 1, receiver_failed: 0.3 }),
    },
  ),
  scenario("refund_race", "Several people refund the same payments at once, in parts and whole", {
    payments: 150,
    payers: one("hasty"),
    payees: one("generous"),
    faults: only({ store_latency_ms: 20, client_parallel: 1, refund_slow: 0.3, call_timeout: 0.1 }),
  }),
  scenario(
    "fraudster",
    "Callbacks are forged, changed and crossed, keys used twice, payments of others read",
    {
      payments: 200,
      reuses_key: 0.5,
      nosy: 1,
      faults: only({
        store_latency_ms: 5,
        callback_forged: 0.5,
        callback_tampered: 0.5,
        callback_crossed: 0.5,
        callback_confused: 0.5,
      }),
    },
  ),
  scenario(
    "kyc_climb",
    "Agents climb the levels: codes are slow, doubled and guessed, authorities away",
    {
      payments: 60,
      faults: only({
        store_latency_ms: 5,
        client_parallel: 0.3,
        code_delay_ms: 4 * MINUTE,
        code_doubled: 0.5,
        code_lost: 0.4,
        authority_away: 0.7,
      }),
    },
  ),
  scenario(
    "month_end",
    "Traffic over the midnight between two months, when days and fees are closed",
    {
      payments: 300,
      start: "2026-02-28T23:50:00Z",
      load: { shape: "steady", mean_gap_ms: 4 * SECOND },
    },
  ),
  scenario(
    "daylight_saving_night",
    "Traffic over the hour that Europe's clocks skip, which changes nothing in UTC",
    {
      payments: 200,
      start: "2026-03-29T00:45:00Z",
      load: { shape: "steady", mean_gap_ms: 10 * SECOND },
    },
  ),
  scenario(
    "failover",
    "Another server takes the store over three times; commits are lost or unanswered",
    {
      payments: 300,
      faults: only({ store_latency_ms: 10, commit_unanswered: 0.05, store_conflict: 0.1 }),
      incidents: [
        { what: "store_away", after_ms: MINUTE, lasts_ms: 5 * SECOND },
        { what: "store_away", after_ms: 2 * MINUTE, lasts_ms: 60 * SECOND },
        { what: "store_away", after_ms: 5 * MINUTE, lasts_ms: 20 * SECOND },
      ],
    },
  ),
  scenario("listening_hosts", "The service runs inside hosts that are told of every event", {
    payments: 40,
    hosts_listen: true,
  }),
  scenario(
    "subscription_year",
    "A leap year of subscriptions and use: renewals, people who do not pay, cancellations",
    {
      payments: 40,
      start: "2028-01-31T09:00:00Z",
      subscribed_months: 12,
    },
  ),
]
