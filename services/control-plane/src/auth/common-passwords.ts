/**
 * Words that attackers try first, with digits and signs around them and letters swapped for digits. Stored as cores,
 * so that one line covers password1, P@ssw0rd2024 and 123password!.
 */
export const COMMON_CORES: ReadonlySet<string> = new Set(
  `
  password passwort passwd pass passphrase passpass passwordpassword mypassword thepassword newpassword changeme
  changemenow changeit default secret topsecret letmein letmeinnow welcome welcomehome welcomeback login admin
  administrator adminadmin superadmin root rootroot toor user username guest test tester testing testtest demo sample
  temp temporary server system master masterkey access account security computer internet network windows microsoft
  google facebook twitter instagram youtube amazon apple samsung android iphone linux ubuntu oracle database postgres
  mysql redis docker cisco router company business office service support manager company welcome hello helloworld
  hellohello hi iloveyou iloveyouso iloveu loveyou lovelove lover love forever princess prince queen king angel angels
  sunshine rainbow flower butterfly chocolate cookie banana orange cherry strawberry summer winter spring autumn
  january february march april june july august september october november december monday tuesday wednesday thursday
  friday saturday sunday baseball football soccer basketball hockey tennis golf volleyball swimming running cycling
  liverpool chelsea arsenal barcelona realmadrid manchester juventus dallas cowboys yankees lakers eagles steelers
  monkey dragon tiger lion eagle falcon phoenix wolf bear dolphin panda kitten kitty puppy doggy horse mustang ferrari
  porsche mercedes corvette harley yamaha batman superman spiderman ironman starwars startrek pokemon pikachu naruto
  matrix merlin gandalf hogwarts harrypotter minecraft fortnite warcraft counterstrike playstation nintendo xbox
  michael jennifer jessica ashley amanda daniel andrew joshua matthew anthony charlie thomas robert william jordan
  hunter ranger killer ninja shadow ghost hacker soldier trooper warrior freedom liberty america england germany france
  london paris berlin newyork california texas florida
  qwerty qwertyuiop qwertyqwerty qwertz qwertzuiop azerty azertyuiop asdf asdfgh asdfghjkl asdfasdf zxcvbn zxcvbnm
  qazwsx qazwsxedc qweasd qweasdzxc qwe asd zxc qwer wasd trustno trustnoone whatever nothing something computer
  biteme fuckyou fuckoff asshole bitch trinity zaq zaqxsw abc abcabc abcd abcdef abcdefg abcdefgh abcdefghij
  correcthorsebatterystaple
  `
    .trim()
    .split(/\s+/),
);
