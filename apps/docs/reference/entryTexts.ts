/** The purpose of each package entry. A test compares the names with the packages. */
export const ENTRY_TEXTS: { readonly [entry: string]: string } = {
  payport: "A payment service as a plain object: how it is made, its options and its failures.",
  "payport/ports": "What the core asks of the world, for those who bring an adapter of their own.",
  "payport/memory": "A store in memory, for tests and for trying out.",
  "payport/sandbox": "Channels that are played: wallets, faults and time.",
  "payport/postgres": "A store in PostgreSQL, in a schema beside the host's own tables.",
  "payport/channels":
    "Channels of live mode, each behind a gateway that speaks the signed protocol.",
  "payport/http": "The HTTP interface, mounted in an app of the host's.",
  "payport/mcp": "The tools of agents beside the HTTP interface.",
  "payport/pages": "What payers see, in an app of the host's.",
  "payport/simulator":
    "Worlds of payers, channels and faults, and what a store and a channel have to do.",
  "payport/vitest": "Simulated worlds as tests of Vitest, and properties of fast-check over them.",
  "payport/testing": "The suites that a store, channels and other adapters of a host have to pass.",
  "@payport/sdk/client": "The typed client, and a `fetch` that pays what costs something.",
  "@payport/sdk/402": "A price on any route of a server.",
  "@payport/sdk/webhooks": "Receiving webhooks: verifying, decrypting, deduping.",
  "@payport/server/fixture": "A payment service for a test, with its database, clock and inbox.",
}
