import { testScreens } from './screens/every-screen.ts'

testScreens('ar', [
  'the home page, the ways in and dead ends',
  'shares and their dead ends',
  'the account and its menus',
])
