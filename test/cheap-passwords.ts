import { choosePasswordCost } from '../server/features/users/password.ts'
import { PASSWORD_COSTS } from '../shared/password-cost.ts'

// Before every file: what is tested in this process makes many passwords, as the servers of the tests do.
choosePasswordCost(PASSWORD_COSTS.least)
