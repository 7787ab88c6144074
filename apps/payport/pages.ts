/** The entry of `payport/pages`: what payers see, beside the HTTP interface. */
export { pages } from "./pagesBeside.ts"
