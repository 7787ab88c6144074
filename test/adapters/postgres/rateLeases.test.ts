import { rateLeasesContract } from "../../../apps/payport/testing/rateLeasesContract.ts"
import { makeTestStore } from "../../support/postgres.ts"
import { runContract } from "../../support/runContract.ts"

runContract("PostgreSQL: leases of rate windows", rateLeasesContract({ open: makeTestStore }))
