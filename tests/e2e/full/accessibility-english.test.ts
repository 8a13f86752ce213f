import { testScreens } from '../screens/every-screen.ts'

testScreens('en')
