import { writeFileSync } from 'node:fs'
import { CLIENT_TYPES, clientTypes, wholeDescription } from './client-types.ts'

writeFileSync(CLIENT_TYPES, clientTypes(await wholeDescription()))
