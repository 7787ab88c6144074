import { foundation } from "./migrations/0001_foundation.ts"
import { webhooks } from "./migrations/0002_webhooks.ts"
import { deliveriesToEndpoints } from "./migrations/0003_deliveries.ts"
import { feesAndQuotes } from "./migrations/0004_fees_and_quotes.ts"
import { ledger } from "./migrations/0005_ledger.ts"
import { refunds } from "./migrations/0006_refunds.ts"
import { revocationsAndAccess } from "./migrations/0007_revocations.ts"
import { channelAsks } from "./migrations/0008_channels.ts"
import { agents } from "./migrations/0009_agents.ts"
import { identity } from "./migrations/0010_identity.ts"
import { endpointHealth } from "./migrations/0011_endpoint_health.ts"
import { reconciliation } from "./migrations/0012_reconciliation.ts"
import { balances } from "./migrations/0013_balances.ts"
import { refundShares } from "./migrations/0014_refund_shares.ts"
import { installs } from "./migrations/0015_installs.ts"
import { plans } from "./migrations/0016_plans.ts"
import { operators } from "./migrations/0017_operators.ts"
import { subscriptionsAndInvoices } from "./migrations/0018_subscriptions.ts"
import { toolList } from "./migrations/0019_tool_list.ts"
import { challenges } from "./migrations/0020_challenges.ts"
import { keyPlaces } from "./migrations/0021_key_places.ts"
import type { Migration } from "./migrations/Migration.ts"

/** Every step of the schema, in order. */
export const MIGRATIONS: ReadonlyArray<Migration> = [
  foundation,
  webhooks,
  deliveriesToEndpoints,
  feesAndQuotes,
  ledger,
  refunds,
  revocationsAndAccess,
  channelAsks,
  agents,
  identity,
  endpointHealth,
  reconciliation,
  balances,
  refundShares,
  installs,
  plans,
  operators,
  subscriptionsAndInvoices,
  toolList,
  challenges,
  keyPlaces,
]
