import type { RouteName, SandboxRouteName } from "./Method.ts"

/**
 * Every method by resource, with the use case that it calls: a route of the HTTP contract by its
 * group and name, or such a route with another media type. The route determines a method's
 * arguments, result, checks and failures.
 */
export const METHODS = {
  /** Sellers and buyers, which the host opens. */
  accounts: {
    create: "accounts.create",
    list: "accounts.list",
    get: "accounts.get",
    suspend: "accounts.suspend",
    resume: "accounts.resume",
    changePlan: "accounts.changePlan",
    listKeys: "accounts.listKeys",
    issueKey: "accounts.issueKey",
    suspendKey: "accounts.suspendKey",
    resumeKey: "accounts.resumeKey",
  },
  /** The caller's own API keys. */
  keys: {
    create: "apiKeys.issue",
    list: "apiKeys.list",
    roll: "apiKeys.roll",
    revoke: "apiKeys.revoke",
  },
  /** Access that programs request from a person over OAuth. */
  oauth: { show: "oauth.show", authorize: "oauth.authorize" },
  /** The log of the caller's account: actions, and the key of each. */
  accountLog: { list: "accountLog.list" },
  /** What sellers offer. */
  services: {
    create: "services.register",
    search: "services.search",
    get: "services.get",
    qr: "services.qr",
    qrPng: ["services.qr", "image/png"],
    qrSvg: ["services.qr", "image/svg+xml"],
    activate: "services.activate",
    pause: "services.pause",
    resume: "services.resume",
    deprecate: "services.deprecate",
    delete: "services.delete",
  },
  /** The payment channels. */
  channels: { list: "channels.list" },
  /** Payments that a person pays by scanning a code. */
  intents: {
    create: "paymentIntents.create",
    list: "paymentIntents.list",
    get: "paymentIntents.get",
    timeline: "paymentIntents.timeline",
    qr: "paymentIntents.qr",
    qrPng: ["paymentIntents.qr", "image/png"],
    qrSvg: ["paymentIntents.qr", "image/svg+xml"],
    capture: "paymentIntents.capture",
    void: "paymentIntents.void",
    cancel: "paymentIntents.cancel",
  },
  /** Payments by a link, and payments that an agent may make by itself. */
  payments: {
    create: "payments.oneTime",
    attempt: "payments.attempt",
  },
  /** The payment challenges of sellers' paid endpoints. */
  challenges: {
    create: "challenges.open",
    redeem: "challenges.redeem",
    draw: "challenges.draw",
    close: "challenges.close",
  },
  /** Verification and settlement of payments for resources sold by x402. */
  facilitator: {
    supported: "facilitator.supported",
    discover: "facilitator.discover",
    pay: "facilitator.pay",
    verify: "facilitator.verify",
    settle: "facilitator.settle",
  },
  /** A seller's resources that buyers discover by x402. */
  listings: {
    create: "listings.create",
    list: "listings.list",
    get: "listings.get",
    delete: "listings.delete",
  },
  /** Exchange rates that are fixed for a short time. */
  quotes: {
    create: "fx.quote",
    pay: "fx.route",
  },
  refunds: {
    create: "refunds.create",
    createOfIntent: "refunds.ofIntent",
    list: "refunds.list",
    get: "refunds.get",
  },
  /** Refunds that buyers request and payees decide about. */
  refundRequests: {
    create: "refundRequests.create",
    list: "refundRequests.list",
    get: "refundRequests.get",
    approve: "refundRequests.approve",
    decline: "refundRequests.decline",
    withdraw: "refundRequests.withdraw",
  },
  /** The access that payments bought. */
  access: {
    register: "accessItems.register",
    introspect: "accessItems.introspect",
  },
  /** The services that a buyer's agent has installed, with its limits. */
  installs: {
    put: "installs.put",
    list: "installs.list",
    listOfService: "installs.listOfService",
    get: "installs.get",
    delete: "installs.delete",
    uninstall: "installs.uninstall",
  },
  subscriptions: {
    create: "subscriptions.subscribe",
    list: "subscriptions.list",
    get: "subscriptions.get",
    prove: "subscriptions.prove",
    redeem: "subscriptions.redeem",
    cancel: "subscriptions.cancel",
  },
  invoices: {
    list: "invoices.list",
    get: "invoices.get",
    pay: "invoices.pay",
    void: "invoices.void",
  },
  /** Usage of services that charge by use. */
  usage: {
    report: "serviceUsage.report",
    start: "serviceUsage.start",
    get: "serviceUsage.tab",
    stop: "serviceUsage.stop",
  },
  ledger: {
    balance: "ledger.balance",
    entries: "ledger.entries",
  },
  reports: {
    reconciliation: "reports.reconciliation",
    reconciliationCsv: ["reports.reconciliation", "text/csv"],
    listRuns: "reconciliationRuns.list",
  },
  /** The caller's costs for its plan. */
  billing: {
    usage: "billing.usage",
    listStatements: "billing.statements",
    getStatement: "billing.statement",
  },
  /** Identity checks of payers. */
  kyc: {
    verify: "kyc.verify",
    get: "kyc.getVerification",
    getAgent: "kyc.getAgent",
    appeal: "kyc.appeal",
    getAppeal: "kyc.getAppeal",
  },
  /** The host's decisions about verifications. */
  reviews: {
    list: "kycReviews.list",
    open: "kycReviews.open",
    decide: "kycReviews.review",
    listAppeals: "kycReviews.listAppeals",
    openAppeal: "kycReviews.openAppeal",
    decideAppeal: "kycReviews.reviewAppeal",
  },
  /** The log of operators' actions. */
  audit: {
    list: "audit.list",
    listHeads: "audit.heads",
  },
  /** The events of the caller's account. */
  events: { list: "webhookDeliveries.events", get: "webhookDeliveries.event" },
  webhooks: {
    createEndpoint: "webhookEndpoints.create",
    listEndpoints: "webhookEndpoints.list",
    getEndpoint: "webhookEndpoints.get",
    changeEndpoint: "webhookEndpoints.change",
    deleteEndpoint: "webhookEndpoints.delete",
    testEndpoint: "webhookDeliveries.test",
    listDeliveries: "webhookDeliveries.list",
    getDelivery: "webhookDeliveries.get",
    replayDelivery: "webhookDeliveries.replay",
    getSecret: "merchant.showWebhookSecret",
    rotateSecret: "merchant.rotateWebhookSecret",
    addKey: "merchant.addWebhookKey",
    listKeys: "merchant.listWebhookKeys",
    deleteKey: "merchant.deleteWebhookKey",
  },
  /** Decoding of payment codes, and search in people's own words. */
  language: {
    readQr: "ai.scanQr",
    answer: "ai.nlpPayment",
    answerAll: "ai.nlpBatch",
  },
} as const satisfies Methods<RouteName>

/** The controls of a sandbox. */
export const SANDBOX_METHODS = {
  sandbox: {
    simulate: "sandbox.simulate",
    listChannels: "sandbox.channels",
    setFaults: "sandbox.setFaults",
    advanceClock: "sandbox.advanceClock",
    listMessages: "sandbox.messages",
    reset: "sandbox.reset",
  },
} as const satisfies Methods<SandboxRouteName>

/** All methods of a sandbox. */
export const ALL_METHODS = { ...METHODS, ...SANDBOX_METHODS } as const

/** The use case that a method calls. */
type Called<Name extends string> =
  | Name
  | readonly [Name, "image/png" | "image/svg+xml" | "text/csv"]

interface Methods<Name extends string> {
  readonly [resource: string]: { readonly [method: string]: Called<Name> }
}

type CalledBy<Table> = {
  [Resource in keyof Table]: {
    [Name in keyof Table[Resource]]: Table[Resource][Name] extends readonly [infer Route, unknown]
      ? Route
      : Table[Resource][Name]
  }[keyof Table[Resource]]
}[keyof Table]

type None<Found extends never> = Found

/** Does not compile if no method calls a use case. Two use cases have a form of their own. */
type _EveryUseCaseHasAMethod = None<
  Exclude<
    RouteName | SandboxRouteName,
    | CalledBy<typeof METHODS>
    | CalledBy<typeof SANDBOX_METHODS>
    | "paymentIntents.events"
    | "channelCallbacks.receive"
  >
>
