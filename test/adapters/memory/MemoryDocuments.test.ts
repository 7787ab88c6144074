import * as MemoryDocuments from "../../../adapters/memory/MemoryDocuments.ts"
import { documentsContract } from "../../contract/documents.ts"

documentsContract("memory", () => MemoryDocuments.layer)
