import { writeFileSync } from 'node:fs'
import { CONFIGURATION_PAGE, configurationPage } from './configuration.ts'
import { LIMITS_PAGE, limitsPage } from './limits.ts'

writeFileSync(CONFIGURATION_PAGE, configurationPage())
writeFileSync(LIMITS_PAGE, limitsPage())
