import { ended } from "./ended.ts"
import type { Charge, Gateway, Heard, Unusual } from "./Gateway.ts"

/** A request that has to be refused if its signature is wrong. */
export interface Attempt {
  readonly name: string
  readonly send: (unusual: Unusual) => Promise<Heard>
  /** Returns what the books say of all that the request could change. */
  readonly books: () => Promise<string>
}

const told = ({ answer, fields }: Heard, names: ReadonlyArray<string>): string => {
  const values = names.map((name) => `${name} ${JSON.stringify(fields[name] ?? null)}`)
  return `status ${answer.status}, ${values.join(", ")}`
}

const SETTLED = JSON.stringify("settled")
const TAKEN = JSON.stringify("paid")

/** Money that was taken settles by itself, so that both are the same here. */
const bookOf = async (gateway: Gateway, charge: Charge): Promise<string> =>
  told(await gateway.look(charge), ["status", "refunded", "amount"]).replace(SETTLED, TAKEN)

/** Returns an attempt to move money, under a number of its own. */
const movement = (gateway: Gateway, charge: Charge, action: string): Attempt => {
  const number = gateway.number()
  return {
    name: `POST /v1/requests, ${action}`,
    send: (unusual) => gateway.request(charge, action, charge.value, number, unusual),
    books: async () => {
      const outcome = told(await gateway.outcome(charge, number), ["status"])
      return `${await bookOf(gateway, charge)}; of the number ${outcome}`
    },
  }
}

const reading = (name: string, send: Attempt["send"]): Attempt => ({
  name: `GET ${name}`,
  send,
  books: async () => "",
})

/** Makes charges, and returns the attempts on them. Money is at stake only if a payer can pay. */
export const attemptsOf = async (gateway: Gateway): Promise<ReadonlyArray<Attempt>> => {
  const [unknown, one, two] = [gateway.draft(), gateway.draft(), gateway.draft()]
  const number = gateway.number()
  for (const charge of [one, two]) {
    await gateway.register(charge)
    await gateway.pay?.(charge)
  }
  // It has to have its end, so that no later look finds what it has moved.
  await ended(gateway, two, "capture", two.value, number)
  const today = new Date().toISOString().slice(0, 10)
  return [
    {
      name: "POST /v1/charges",
      send: (unusual) => gateway.register(unknown, unusual),
      books: () => bookOf(gateway, unknown),
    },
    ...(gateway.pay === undefined
      ? [movement(gateway, one, "close")]
      : [movement(gateway, one, "capture"), movement(gateway, two, "refund")]),
    reading("/v1/charges/{out_trade_no}", (unusual) => gateway.look(one, unusual)),
    reading("/v1/requests/{number}", (unusual) => gateway.outcome(two, number, unusual)),
    reading("/v1/statements/{yyyy-mm-dd}", (unusual) =>
      gateway.send("GET", `/v1/statements/${today}`, undefined, unusual),
    ),
  ]
}
