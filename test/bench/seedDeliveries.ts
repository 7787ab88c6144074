import type { Server } from "./database.ts"
import { copyRow } from "./seed.ts"

const DATA = {
  id: "pi_01997d3e-8a00-7000-8000-000000000001",
  status: "succeeded",
  amount: { currency: "USD", value: 699 },
  service_id: "01997d3e-8a00-7000-8000-000000000002",
  channel: "wallet_a",
  description: "One summary",
  payer: { agent_id: "agent-of-the-buyer" },
  created_at: "2026-01-01T00:00:00.000Z",
}

/** Returns a body like a seeded delivery's. */
export const bodyOfSeeded = (): string =>
  JSON.stringify({
    id: "evt_01997d3e-8a00-7000-8000-000000000003",
    created: "2026-01-01T00:00:00.000Z",
    type: "payment_intent.succeeded",
    data: DATA,
  })

/** Deliveries to seed, one event each, all of which fall due when they are stored. */
export interface SeededDeliveries {
  /** A delivery that the service made to an endpoint. The others are copies of it. */
  readonly model: string
  readonly endpoints: ReadonlyArray<string>
  readonly count: number
  /** Four hex digits that make the ids of a batch unique. */
  readonly batch: string
}

const bare = (id: string): string => id.replace(/^[a-z]+_/, "")

/** Stores the events in advance, so that the measurement only has the deliveries. */
export const seedEvents = (server: Server, database: string, seeded: SeededDeliveries) =>
  copyRow(server, database, {
    table: "events",
    where: `id = (SELECT event_id FROM deliveries WHERE id = '${bare(seeded.model)}')`,
    count: seeded.count,
    values: {
      id: idOf(seeded),
      type: "'payment_intent.succeeded'",
      data: `'${JSON.stringify(DATA)}'`,
      due_at: "NULL",
    },
  })

const idOf = ({ batch }: SeededDeliveries): string =>
  `('01997d3e-8a00-7000-${batch}-' || lpad(to_hex(n::bigint), 12, '0'))::uuid`

/** Stores the deliveries, due since now, in turns to each of the endpoints. */
export const seedDeliveries = (server: Server, database: string, seeded: SeededDeliveries) => {
  const endpoints = seeded.endpoints.map((id) => `'${bare(id)}'`).join()
  return copyRow(server, database, {
    table: "deliveries",
    where: `id = '${bare(seeded.model)}'`,
    count: seeded.count,
    values: {
      id: idOf(seeded),
      version: "1",
      event_id: idOf(seeded),
      event_type: "'payment_intent.succeeded'",
      endpoint_id: `(ARRAY[${endpoints}]::uuid[])[1 + n % ${seeded.endpoints.length}]`,
      status: "'pending'",
      attempts: "'[]'",
      created_at: "now()",
      due_at: "now()",
      lease_until: "NULL",
    },
  })
}
