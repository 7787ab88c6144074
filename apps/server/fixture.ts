/** The entry of `@payport/server/fixture`: a payment service for a test. */
import { extname } from "node:path"
import { fileURLToPath } from "node:url"
import { type PayportFixture, startWith } from "./fixture/startPayport.ts"
import type { FixtureOptions } from "./fixture/options.ts"

export type { FixtureClock } from "./fixture/FixtureClock.ts"
export { FixtureError, type FixtureErrorCode } from "./fixture/FixtureError.ts"
export type { AwaitedEvent, EventOfType, Inbox } from "./fixture/Inbox.ts"
export type { FixtureOptions } from "./fixture/options.ts"
export type { PayportFixture, WalletAction } from "./fixture/startPayport.ts"
export { PayportError } from "../../adapters/http/client/PayportError.ts"
export type { Client } from "../../adapters/http/client/client.ts"

const programOf = (name: string): string =>
  fileURLToPath(new URL(`./fixture/${name}${extname(import.meta.url)}`, import.meta.url))

/**
 * Starts the service as its own process, on its own database, with a seller, a buyer, an active
 * service and a receiver of the seller's webhooks. Rejects with `FixtureError`.
 */
export const startPayport: (options?: FixtureOptions) => Promise<PayportFixture> = startWith({
  service: programOf("service"),
  keeper: programOf("keeper"),
  linger: 10_000,
})
