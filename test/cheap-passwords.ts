import { choosePasswordCost } from '../server/features/users/password.ts'
import { PASSWORD_COSTS } from '../shared/password-cost.ts'

// Runs before every test file: in-process tests hash many passwords, as the servers of the tests do.
choosePasswordCost(PASSWORD_COSTS.least)
