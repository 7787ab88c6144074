import { auditHeads } from "./parts/auditHeads.ts"
import { codeAskers } from "./parts/codeAskers.ts"
import { levelAskers } from "./parts/levelAskers.ts"
import { askingBuyers } from "./parts/askingBuyers.ts"
import { boundedKeys } from "./parts/boundedKeys.ts"
import { authorizedPrograms } from "./parts/authorizedPrograms.ts"
import { busyAccounts } from "./parts/busyAccounts.ts"
import { calculators } from "./parts/calculators.ts"
import { changingKeys, restlessSellers } from "./parts/restlessSellers.ts"
import { clockWatchers } from "./parts/clockWatchers.ts"
import { contraryCallers } from "./parts/contraryCallers.ts"
import { climbers } from "./parts/climbers.ts"
import { commonKeys } from "./parts/commonKeys.ts"
import { exchange } from "./parts/exchange.ts"
import { gates, prying } from "./parts/prying.ts"
import { heldPayments } from "./parts/heldPayments.ts"
import { households } from "./parts/households.ts"
import { keyHolders } from "./parts/keyHolders.ts"
import { listedShops } from "./parts/listedShops.ts"
import { listeningHosts } from "./parts/listeningHosts.ts"
import { marketReaders } from "./parts/marketReaders.ts"
import { namedPurchases } from "./parts/namedPurchases.ts"
import { namingSellers } from "./parts/namingSellers.ts"
import { ownWorkers } from "./parts/ownWorkers.ts"
import { paidEndpoints } from "./parts/paidEndpoints.ts"
import { payersWithMandates } from "./parts/payersWithMandates.ts"
import { prepaidSessions } from "./parts/prepaidSessions.ts"
import { printedCounters } from "./parts/printedCodes.ts"
import { provingSubscribers } from "./parts/subscriptionProofs.ts"
import { oddTexts } from "./parts/oddTexts.ts"
import { toolCallers } from "./parts/toolCallers.ts"
import { keyReaders } from "./parts/keyReaders.ts"
import { operators } from "./parts/operators.ts"
import { limitedKeys } from "./parts/limitedKeys.ts"
import { mistakenCallers } from "./parts/mistakenCallers.ts"
import { quotingAgents } from "./parts/quotingAgents.ts"
import { questions } from "./parts/questions.ts"
import { returnHolders } from "./parts/returnHolders.ts"
import { readers } from "./parts/readers.ts"
import { receiptReaders } from "./parts/receiptReaders.ts"
import { reportReaders } from "./parts/reportReaders.ts"
import { recordReaders } from "./parts/recordReaders.ts"
import { registry } from "./parts/registry.ts"
import { scanners } from "./parts/scannedCodes.ts"
import { speakingBuyers } from "./parts/speakingBuyers.ts"
import { secretKeepers } from "./parts/secretKeepers.ts"
import { statements } from "./parts/statements.ts"
import { submitters } from "./parts/submitters.ts"
import { subscribers } from "./parts/subscribers.ts"
import { suspendedSellers } from "./parts/suspendedSellers.ts"
import { toolBuyers } from "./parts/toolBuyers.ts"
import { toolReaders } from "./parts/toolReaders.ts"
import { smallUse } from "./parts/smallUse.ts"
import { wordings } from "./parts/wordings.ts"
import type { Part } from "./world/Stage.ts"

/** The parts that a world plays besides the payments. */
export const parts: ReadonlyArray<Part> = [
  restlessSellers,
  changingKeys,
  gates,
  statements,
  climbers,
  commonKeys,
  payersWithMandates,
  exchange,
  subscribers,
  registry,
  paidEndpoints,
  busyAccounts,
  prying,
  toolBuyers,
  namingSellers,
  households,
  askingBuyers,
  listeningHosts,
  boundedKeys,
  speakingBuyers,
  namedPurchases,
  heldPayments,
  prepaidSessions,
  provingSubscribers,
  listedShops,
  smallUse,
  printedCounters,
  scanners,
  authorizedPrograms,
  keyHolders,
  readers,
  marketReaders,
  reportReaders,
  operators,
  receiptReaders,
  mistakenCallers,
  limitedKeys,
  questions,
  toolReaders,
  auditHeads,
  submitters,
  clockWatchers,
  quotingAgents,
  oddTexts,
  toolCallers,
  keyReaders,
  recordReaders,
  wordings,
  calculators,
  secretKeepers,
  returnHolders,
  codeAskers,
  levelAskers,
  ownWorkers,
  contraryCallers,
  // The last, since the seller stays suspended.
  suspendedSellers,
]

/** The names of the parts that a world plays if its script names none. */
export const usualParts: ReadonlyArray<string> = parts.flatMap(({ isAsked, name }) =>
  isAsked === true ? [] : [name],
)
