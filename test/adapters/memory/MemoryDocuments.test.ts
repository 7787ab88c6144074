import * as MemoryDocuments from "../../../adapters/memory/MemoryDocuments.ts"
import { documentsContract } from "../../../apps/payport/testing/documentsContract.ts"
import { runContract } from "../../support/runContract.ts"

runContract("memory: documents", documentsContract({ open: () => MemoryDocuments.layer }))
