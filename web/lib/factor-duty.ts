import { pageConfig } from './config.ts'
import { createStore } from './store.ts'

/** Whether a second factor may be required of the caller; events keep it current in an open page. */
export const factorDutyStore = createStore(pageConfig.FactorDuty)
