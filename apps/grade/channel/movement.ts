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

/**
 * Returns what the books say of a charge. Money that was taken settles by itself, so that both are
 * the same here.
 */
export const bookOf = async (gateway: Gateway, charge: Charge): Promise<string> =>
  told(await gateway.look(charge), ["status", "refunded", "amount"]).replace(SETTLED, TAKEN)

/** Returns an attempt to move money, under a number of its own. */
export const movement = (gateway: Gateway, charge: Charge, action: string): Attempt => {
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
