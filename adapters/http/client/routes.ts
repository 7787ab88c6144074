// Written by npm run generate from the contract: change that, and write it anew.

/** How a method is sent. */
export interface Route {
  readonly verb: string
  /** With a colon before each parameter. */
  readonly path: string
  /** Where its input goes. */
  readonly input?: "body" | "query"
  /** How a list goes on: after the last of its items, or at a number. */
  readonly pages?: "cursor" | "offset"
  /** The field with the id of a listed item, if that is not `id`. */
  readonly cursor?: string
  /** What it asks for, where that is not JSON. */
  readonly accept?: string
  /** Whether it deletes a record, and answers only that it has. */
  readonly deletes?: true
}

/** The route of each method, by resource. */
export const ROUTES: { readonly [resource: string]: { readonly [method: string]: Route } } = {
  accounts: {
    create: { verb: "POST", path: "/v1/accounts", input: "body" },
    list: { verb: "GET", path: "/v1/accounts", input: "query", pages: "cursor" },
    get: { verb: "GET", path: "/v1/accounts/:id" },
    suspend: { verb: "POST", path: "/v1/accounts/:id/suspend" },
    resume: { verb: "POST", path: "/v1/accounts/:id/resume" },
    changePlan: { verb: "PATCH", path: "/v1/accounts/:id", input: "body" },
    listKeys: { verb: "GET", path: "/v1/accounts/:id/api-keys", input: "query", pages: "cursor" },
    issueKey: { verb: "POST", path: "/v1/accounts/:id/api-keys" },
    suspendKey: { verb: "POST", path: "/v1/accounts/:id/api-keys/:key_id/suspend", input: "body" },
    resumeKey: { verb: "POST", path: "/v1/accounts/:id/api-keys/:key_id/resume", input: "body" },
  },
  keys: {
    create: { verb: "POST", path: "/v1/api-keys", input: "body" },
    list: { verb: "GET", path: "/v1/api-keys", input: "query", pages: "cursor" },
    roll: { verb: "POST", path: "/v1/api-keys/:id/roll", input: "body" },
    revoke: { verb: "DELETE", path: "/v1/api-keys/:id", input: "query" },
  },
  oauth: {
    show: { verb: "GET", path: "/v1/oauth/authorization", input: "query" },
    authorize: { verb: "POST", path: "/v1/oauth/authorization", input: "body" },
  },
  accountLog: {
    list: { verb: "GET", path: "/v1/audit-log", input: "query", pages: "cursor" },
  },
  services: {
    create: { verb: "POST", path: "/v1/services", input: "body" },
    search: { verb: "GET", path: "/v1/services", input: "query", pages: "offset" },
    get: { verb: "GET", path: "/v1/services/:id" },
    qr: { verb: "GET", path: "/v1/services/:id/qr", input: "query" },
    qrPng: { verb: "GET", path: "/v1/services/:id/qr", input: "query", accept: "image/png" },
    qrSvg: { verb: "GET", path: "/v1/services/:id/qr", input: "query", accept: "image/svg+xml" },
    activate: { verb: "PATCH", path: "/v1/services/:id/activate" },
    pause: { verb: "PATCH", path: "/v1/services/:id/pause" },
    resume: { verb: "PATCH", path: "/v1/services/:id/resume" },
    deprecate: { verb: "PATCH", path: "/v1/services/:id/deprecate" },
    delete: { verb: "DELETE", path: "/v1/services/:id" },
  },
  channels: {
    list: { verb: "GET", path: "/v1/channels" },
  },
  intents: {
    create: { verb: "POST", path: "/v1/payment-intents", input: "body" },
    list: { verb: "GET", path: "/v1/payment-intents", input: "query", pages: "cursor" },
    get: { verb: "GET", path: "/v1/payment-intents/:id" },
    timeline: { verb: "GET", path: "/v1/payment-intents/:id/timeline" },
    qr: { verb: "GET", path: "/v1/payment-intents/:id/qr", input: "query" },
    qrPng: { verb: "GET", path: "/v1/payment-intents/:id/qr", input: "query", accept: "image/png" },
    qrSvg: {
      verb: "GET",
      path: "/v1/payment-intents/:id/qr",
      input: "query",
      accept: "image/svg+xml",
    },
    capture: { verb: "POST", path: "/v1/payment-intents/:id/capture", input: "body" },
    void: { verb: "POST", path: "/v1/payment-intents/:id/void" },
    cancel: { verb: "POST", path: "/v1/payment-intents/:id/cancel" },
    watch: { verb: "GET", path: "/v1/payment-intents/:id/events", accept: "text/event-stream" },
  },
  payments: {
    create: { verb: "POST", path: "/v1/payments/one-time", input: "body" },
    attempt: { verb: "POST", path: "/v1/payments", input: "body" },
  },
  challenges: {
    create: { verb: "POST", path: "/v1/payment-challenges", input: "body" },
    redeem: { verb: "POST", path: "/v1/payment-challenges/:id/redeem", input: "body" },
    draw: { verb: "POST", path: "/v1/payment-challenges/:id/draw", input: "body" },
    close: { verb: "POST", path: "/v1/payment-challenges/:id/close", input: "body" },
  },
  facilitator: {
    supported: { verb: "GET", path: "/v1/x402/supported" },
    discover: { verb: "GET", path: "/v1/x402/discovery/resources", input: "query" },
    pay: { verb: "POST", path: "/v1/x402/payments", input: "body" },
    verify: { verb: "POST", path: "/v1/x402/verify", input: "body" },
    settle: { verb: "POST", path: "/v1/x402/settle", input: "body" },
  },
  listings: {
    create: { verb: "POST", path: "/v1/x402/listings", input: "body" },
    list: { verb: "GET", path: "/v1/x402/listings", input: "query", pages: "cursor" },
    get: { verb: "GET", path: "/v1/x402/listings/:id" },
    delete: { verb: "DELETE", path: "/v1/x402/listings/:id", deletes: true },
  },
  quotes: {
    create: { verb: "POST", path: "/v1/fx/quotes", input: "body" },
    pay: { verb: "POST", path: "/v1/fx/routes", input: "body" },
  },
  refunds: {
    create: { verb: "POST", path: "/v1/refunds", input: "body" },
    createOfIntent: { verb: "POST", path: "/v1/payment-intents/:id/refund", input: "body" },
    list: { verb: "GET", path: "/v1/refunds", input: "query", pages: "cursor" },
    get: { verb: "GET", path: "/v1/refunds/:id" },
  },
  refundRequests: {
    create: { verb: "POST", path: "/v1/refund-requests", input: "body" },
    list: { verb: "GET", path: "/v1/refund-requests", input: "query", pages: "cursor" },
    get: { verb: "GET", path: "/v1/refund-requests/:id" },
    approve: { verb: "POST", path: "/v1/refund-requests/:id/approve", input: "body" },
    decline: { verb: "POST", path: "/v1/refund-requests/:id/decline", input: "body" },
    withdraw: { verb: "POST", path: "/v1/refund-requests/:id/withdraw" },
  },
  access: {
    register: { verb: "POST", path: "/v1/access-items", input: "body" },
    introspect: { verb: "POST", path: "/v1/access-items/introspect", input: "body" },
  },
  installs: {
    put: { verb: "POST", path: "/v1/services/:id/installs", input: "body" },
    list: { verb: "GET", path: "/v1/installs", input: "query", pages: "cursor" },
    listOfService: {
      verb: "GET",
      path: "/v1/services/:id/installs",
      input: "query",
      pages: "cursor",
    },
    get: { verb: "GET", path: "/v1/installs/:id" },
    delete: { verb: "DELETE", path: "/v1/installs/:id", deletes: true },
    uninstall: { verb: "DELETE", path: "/v1/services/:id/installs", input: "query", deletes: true },
  },
  subscriptions: {
    create: { verb: "POST", path: "/v1/service-manifests/:id/subscribe", input: "body" },
    list: { verb: "GET", path: "/v1/subscriptions", input: "query", pages: "offset" },
    get: { verb: "GET", path: "/v1/subscriptions/:id" },
    prove: { verb: "POST", path: "/v1/subscriptions/:id/proofs", input: "body" },
    redeem: { verb: "POST", path: "/v1/subscriptions/:id/redeem", input: "body" },
    cancel: { verb: "DELETE", path: "/v1/subscriptions/:id", input: "query" },
  },
  invoices: {
    list: { verb: "GET", path: "/v1/invoices", input: "query", pages: "offset" },
    get: { verb: "GET", path: "/v1/invoices/:id" },
    pay: { verb: "POST", path: "/v1/invoices/:id/pay" },
    void: { verb: "POST", path: "/v1/invoices/:id/void" },
  },
  usage: {
    report: { verb: "POST", path: "/v1/services/:id/usage", input: "body" },
    start: { verb: "POST", path: "/v1/services/:id/tab", input: "body" },
    get: { verb: "GET", path: "/v1/services/:id/tab", input: "query" },
    stop: { verb: "DELETE", path: "/v1/services/:id/tab", input: "query" },
  },
  ledger: {
    balance: { verb: "GET", path: "/v1/balance" },
    entries: { verb: "GET", path: "/v1/ledger/entries", input: "query", pages: "cursor" },
  },
  reports: {
    reconciliation: { verb: "GET", path: "/v1/reports/reconciliation", input: "query" },
    reconciliationCsv: {
      verb: "GET",
      path: "/v1/reports/reconciliation",
      input: "query",
      accept: "text/csv",
    },
    listRuns: { verb: "GET", path: "/v1/reports/reconciliation/runs", input: "query" },
  },
  billing: {
    usage: { verb: "GET", path: "/v1/usage", input: "query" },
    listStatements: {
      verb: "GET",
      path: "/v1/billing/statements",
      input: "query",
      pages: "cursor",
    },
    getStatement: { verb: "GET", path: "/v1/billing/statements/:id" },
  },
  kyc: {
    verify: { verb: "POST", path: "/v1/kyc/verify", input: "body" },
    get: { verb: "GET", path: "/v1/kyc/verifications/:id" },
    getAgent: { verb: "GET", path: "/v1/kyc/agents/:agent_id" },
    appeal: { verb: "POST", path: "/v1/kyc/appeal", input: "body" },
    getAppeal: { verb: "GET", path: "/v1/kyc/appeals/:id" },
  },
  reviews: {
    list: {
      verb: "GET",
      path: "/v1/kyc/verifications",
      input: "query",
      pages: "cursor",
      cursor: "verification_id",
    },
    open: { verb: "GET", path: "/v1/kyc/verifications/:id/case" },
    decide: { verb: "POST", path: "/v1/kyc/verifications/:id/review", input: "body" },
    listAppeals: {
      verb: "GET",
      path: "/v1/kyc/appeals",
      input: "query",
      pages: "cursor",
      cursor: "appeal_id",
    },
    openAppeal: { verb: "GET", path: "/v1/kyc/appeals/:id/case" },
    decideAppeal: { verb: "POST", path: "/v1/kyc/appeals/:id/review", input: "body" },
  },
  audit: {
    list: { verb: "GET", path: "/v1/audit", input: "query", pages: "cursor" },
    listHeads: { verb: "GET", path: "/v1/audit/heads", input: "query" },
  },
  events: {
    list: { verb: "GET", path: "/v1/events", input: "query", pages: "cursor" },
    get: { verb: "GET", path: "/v1/events/:id" },
  },
  webhooks: {
    createEndpoint: { verb: "POST", path: "/v1/webhook-endpoints", input: "body" },
    listEndpoints: { verb: "GET", path: "/v1/webhook-endpoints", input: "query", pages: "cursor" },
    getEndpoint: { verb: "GET", path: "/v1/webhook-endpoints/:id" },
    changeEndpoint: { verb: "PATCH", path: "/v1/webhook-endpoints/:id", input: "body" },
    deleteEndpoint: { verb: "DELETE", path: "/v1/webhook-endpoints/:id", deletes: true },
    testEndpoint: { verb: "POST", path: "/v1/webhook-endpoints/:id/test" },
    listDeliveries: {
      verb: "GET",
      path: "/v1/webhook-deliveries",
      input: "query",
      pages: "cursor",
    },
    getDelivery: { verb: "GET", path: "/v1/webhook-deliveries/:id" },
    replayDelivery: { verb: "POST", path: "/v1/webhook-deliveries/:id/replay" },
    getSecret: { verb: "GET", path: "/v1/merchant/webhook-secret" },
    rotateSecret: { verb: "POST", path: "/v1/merchant/webhook-secrets/rotate", input: "body" },
    addKey: { verb: "POST", path: "/v1/merchant/webhook-keys", input: "body" },
    listKeys: { verb: "GET", path: "/v1/merchant/webhook-keys", input: "query", pages: "cursor" },
    deleteKey: { verb: "DELETE", path: "/v1/merchant/webhook-keys/:id", deletes: true },
  },
  language: {
    readQr: { verb: "POST", path: "/v1/ai/scan-qr", input: "body" },
    answer: { verb: "POST", path: "/v1/ai/nlp-payment", input: "body" },
    answerAll: { verb: "POST", path: "/v1/ai/nlp-batch", input: "body" },
  },
  sandbox: {
    simulate: { verb: "POST", path: "/v1/sandbox/payment-intents/:id/simulate", input: "body" },
    listChannels: { verb: "GET", path: "/v1/sandbox/channels" },
    setFaults: { verb: "PUT", path: "/v1/sandbox/channels/:channel/faults", input: "body" },
    advanceClock: { verb: "POST", path: "/v1/sandbox/clock/advance", input: "body" },
    listMessages: { verb: "GET", path: "/v1/sandbox/messages", input: "query" },
    reset: { verb: "POST", path: "/v1/sandbox/reset" },
  },
}
