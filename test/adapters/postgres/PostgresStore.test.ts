import { documentsContract } from "../../../apps/payport/testing/documentsContract.ts"
import { storeContract } from "../../../apps/payport/testing/storeContract.ts"
import { makeFaultyStore } from "../../support/faultyPostgres.ts"
import { makeTestStore } from "../../support/postgres.ts"
import { runContract } from "../../support/runContract.ts"

const opened = { open: makeTestStore, openFaulty: makeFaultyStore }

runContract("PostgreSQL: the store", storeContract(opened))
runContract("PostgreSQL: documents", documentsContract(opened))
