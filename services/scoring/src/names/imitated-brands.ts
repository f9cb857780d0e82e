/** Companies whose names are drawn with foreign letters to deceive: mail, shops, parcels, banks, coins, games, software. */
export const imitatedBrands: readonly string[] = `
  microsoft.com office.com office365.com live.com outlook.com windows.com skype.com linkedin.com github.com azure.com
  xbox.com bing.com onedrive.com sharepoint.com apple.com icloud.com itunes.com google.com gmail.com youtube.com
  android.com blogger.com facebook.com instagram.com whatsapp.com messenger.com threads.net meta.com oculus.com
  amazon.com amazon.de amazon.co.uk primevideo.com audible.com twitch.tv paypal.com venmo.com stripe.com square.com
  klarna.com wise.com revolut.com payoneer.com skrill.com neteller.com westernunion.com moneygram.com visa.com
  mastercard.com americanexpress.com discover.com netflix.com disneyplus.com hulu.com spotify.com tidal.com hbomax.com
  dhl.com dhl.de ups.com fedex.com usps.com royalmail.com evri.com dpd.com hermesworld.com gls-group.com laposte.fr
  chronopost.fr postnl.nl correos.es swisspost.ch post.ch auspost.com.au canadapost.ca ebay.com aliexpress.com
  alibaba.com taobao.com shein.com temu.com walmart.com target.com costco.com bestbuy.com homedepot.com ikea.com
  zalando.de otto.de etsy.com shopify.com rakuten.co.jp mercadolibre.com flipkart.com allegro.pl bol.com
  booking.com airbnb.com expedia.com tripadvisor.com uber.com lyft.com ryanair.com lufthansa.com emirates.com
  twitter.com x.com tiktok.com snapchat.com pinterest.com reddit.com telegram.org discord.com signal.org wechat.com
  tinder.com yahoo.com aol.com mail.ru yandex.ru protonmail.com dropbox.com box.com docusign.com adobe.com zoom.us
  slack.com atlassian.com salesforce.com oracle.com cisco.com intel.com nvidia.com samsung.com huawei.com xiaomi.com
  sony.com nintendo.com playstation.com roblox.com epicgames.com steampowered.com steamcommunity.com riotgames.com
  minecraft.net blizzard.com wellsfargo.com chase.com bankofamerica.com citibank.com citi.com capitalone.com usbank.com
  hsbc.com hsbc.co.uk barclays.com barclays.co.uk lloydsbank.com natwest.com santander.com bbva.com caixabank.es
  ing.com ing.nl rabobank.nl abnamro.nl deutsche-bank.de commerzbank.de sparkasse.de postbank.de n26.com
  credit-agricole.fr bnpparibas.com societegenerale.fr boursorama.com intesasanpaolo.com unicredit.it poste.it
  itau.com.br bradesco.com.br nubank.com.br caixa.gov.br sberbank.ru tinkoff.ru vtb.ru alfabank.ru gosuslugi.ru
  binance.com coinbase.com kraken.com blockchain.com metamask.io crypto.com kucoin.com bitfinex.com bybit.com okx.com
  opensea.io ledger.com trezor.io opera.com mozilla.org wikipedia.org cloudflare.com godaddy.com namecheap.com
  wordpress.com openai.com chatgpt.com anthropic.com verizon.com att.com t-mobile.com vodafone.com orange.com
  telekom.de o2.co.uk comcast.com bt.com irs.gov
  `
  .trim()
  .split(/\s+/);
