import { writeFileSync } from 'node:fs'
import { findProofs, renderTable, TABLE } from './coverage.ts'

writeFileSync(TABLE, renderTable(findProofs()))
