/** The senders of requests: the key in an example, as the name of a shell variable. */
export const KEYS = {
  seller: "SELLER_KEY",
  buyer: "BUYER_KEY",
  operator: "ADMIN_KEY",
  nobody: undefined,
} as const

/**
 * One request of the sequence that the reference's examples come from. The first of each operation
 * is its example. Its ids and names are samples: a test that runs the sequence replaces them with
 * the values in `gives`.
 */
export interface Step {
  readonly operation: string
  readonly as: keyof typeof KEYS
  /** The parameters of the path, by their names. */
  readonly path?: { readonly [name: string]: string }
  readonly query?: { readonly [name: string]: string | number | boolean }
  /** The contract's example by default. */
  readonly body?: object
  /** Samples, each with the place of the real value in the response: `api_key.id`, `data.0.id`. */
  readonly gives?: { readonly [sample: string]: string }
  /** The response's status, if it is an error. */
  readonly status?: number
  /**
   * The MCP tool that does the same, and its arguments. If an action can be done only once, a later
   * step of the operation shows it, for which the test uses the tool.
   */
  readonly tool?: { readonly name: string; readonly arguments: object }
}

const uuid = (last: string): string => `01997d3e-8a00-7000-8000-${last.padStart(12, "0")}`

/** Samples of ids, equal to those in the contract's examples. */
export const SAMPLE = {
  account: `acct_${uuid("1")}`,
  buyerAccount: `acct_${uuid("2")}`,
  key: `key_${uuid("2")}`,
  endpoint: `we_${uuid("4")}`,
  webhookKey: `whk_${uuid("5")}`,
  event: `evt_${uuid("7")}`,
  delivery: `wd_${uuid("8")}`,
  service: uuid("10"),
  otherService: uuid("11"),
  payment: `pi_${uuid("20")}`,
  challenge: `pi_${uuid("22")}`,
  session: `pi_${uuid("23")}`,
  x402: `pi_${uuid("24")}`,
  token: "m1Yk0sC8Uq3cQe7v9dXw2bRt5nHj4aLz6pGf0iKoSxE",
  refundRequest: `rr_${uuid("35")}`,
  refund: `ref_${uuid("30")}`,
  verification: `kyc_${uuid("30")}`,
  code: "428117",
  appeal: `appl_${uuid("31")}`,
  install: "ins_01997d3e-8a00-8000-8000-000000000030",
  quote: `fxq_${uuid("40")}`,
  listing: `lst_${uuid("60")}`,
  statement: `stmt_${uuid("50")}`,
  subscription: `sub_${uuid("50")}`,
  invoice: `inv_${uuid("51")}`,
  proof: "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0",
  proofEnds: "2026-01-31T08:05:00.000Z",
} as const

/** Samples of names that have to differ in each run of the sequence. */
export const NAMES = ["agent_weather", "agent_buyer_1", "tok_8F3a", "call-8F3a"] as const

/** The URL of the sequence's webhook receiver. */
export const RECEIVER = "https://weather.example/webhooks"
