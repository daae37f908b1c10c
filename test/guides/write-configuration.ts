import { writeFileSync } from 'node:fs'
import { CONFIGURATION_PAGE, configurationPage } from './configuration.ts'

writeFileSync(CONFIGURATION_PAGE, configurationPage())
