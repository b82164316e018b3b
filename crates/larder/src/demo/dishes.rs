//! The menu, a line a dish.

/// What many dishes have in common.
pub const PARTS: &[(&str, &str)] = &[
    ("@rice", "rice:0.1"),
    ("@garlicrice", "rice:0.1 garlic:0.008 oil:0.012 salt:0.001"),
    ("@silog", "@garlicrice egg:1 oil:0.01 tomato:0.03 cucumber:0.02"),
    ("@atchara", "papaya:0.03 carrot:0.005 vinegar:0.008 sugar:0.004"),
    ("@dip", "soy:0.02 vinegar:0.012 chili:0.002 calamansi:0.01"),
    ("@base", "onion:0.02 garlic:0.006 oil:0.012 pepper:0.0005 salt:0.001"),
    ("@bowl", "@rice bowl:0.04"),
    ("@cup", "cup12:0.02 straw:0.01 ice:0.15"),
];

/// Sections: name | code | kitchens | course | sizes. Dishes: name | prices | weight | moods | what it is made of.
/// Moods: b breakfast, m afternoon, c hot season, h rainy season, x Christmas, k weekends and families,
/// n new, d dropped from the menu.
pub const DISHES: &str = "\
# Grill|GR|express|main|meal
Chicken Inasal Quarter|145/189|30|k|inasal:1 chix-oil:0.015 annatto:0.002 calamansi:0.02 @dip
Chicken Inasal Thigh|119/162|22||thigh:1 chix-oil:0.012 calamansi:0.015 @dip
Grilled Liempo|152/195|20|k|liempo:1 bbq-sauce:0.02 @atchara @dip
Pork Barbecue, 2 Sticks|82/129|24|k|bbq:2 bbq-sauce:0.015 @atchara
Pork Barbecue, 4 Sticks|158/199|9|k|bbq:4 bbq-sauce:0.03 @atchara
Grilled Bangus Belly|168/209|11||bangus:1 tomato:0.04 onion:0.02 @dip
Grilled Squid|185/229|5|k|squid:0.18 tomato:0.03 onion:0.02 @dip
Tuna Belly|198/245|5||tuna:0.18 calamansi:0.02 @dip
Grilled Tilapia|148/189|6||tilapia:1 tomato:0.03 ginger:0.01 @dip
Garlic Butter Wings, 6 Pieces|159/205|13|k|wings:6 butter:0.02 garlic:0.015 oil:0.05 cornstarch:0.02
Sweet Chili Wings, 6 Pieces|159/205|10|k|wings:6 sweet-chili:0.05 oil:0.05 cornstarch:0.02
Boneless Chicken Barbecue|124/169|14|n|thigh:1 bbq-sauce:0.03 @atchara
# Rice Bowls|RB|express|main
Adobo Rice Bowl|129|22||kasim:0.13 adobo-base:0.06 egg:1 @bowl
Chicken Adobo Flakes Bowl|132|14||breast:0.11 adobo-base:0.05 oil:0.03 @bowl
Sisig Rice Bowl|139|26||sisig:0.14 onion:0.02 egg:1 mayo:0.015 calamansi:0.01 @bowl
Lechon Kawali Bowl|152|17||lechon:0.13 liver-sauce:0.03 @atchara @bowl
Bicol Express Bowl|138|10|h|kasim:0.11 coco-milk:0.08 green-chili:0.02 shrimp-paste:0.012 @bowl
Beef Caldereta Bowl|168|9||brisket:0.13 liver-sauce:0.03 potato:0.05 carrot:0.03 bell-pepper:0.02 @bowl
Chicken Curry Bowl|135|11|h|thigh:1 curry:0.03 coco-milk:0.06 potato:0.05 carrot:0.03 @bowl
Pork Menudo Bowl|128|10||kasim:0.1 potato:0.05 carrot:0.03 vienna:3 liver-sauce:0.02 @bowl
Garlic Shrimp Bowl|178|7||shrimp:0.11 garlic:0.015 butter:0.015 @bowl
Beef Tapa Bowl|158|13||beef-strips:0.12 soy:0.02 onion:0.02 @bowl
Crispy Fish Bowl|126|9||fish-fillet:1 breadcrumbs:0.02 oil:0.03 mayo:0.02 @bowl
Tofu Sisig Bowl|112|6||tofu:2 onion:0.02 mayo:0.015 green-chili:0.008 @bowl
Chicken Katsu Bowl|139|12||breast:0.12 breadcrumbs:0.02 flour:0.01 oil:0.04 gravy:0.03 @bowl
Burger Steak Bowl|118|16||patty:1 gravy:0.05 mushroom:0.02 @bowl
Double Burger Steak Bowl|172|7||patty:2 gravy:0.08 mushroom:0.04 @bowl
Binagoongan Bowl|136|8||kasim:0.12 shrimp-paste:0.02 eggplant:0.05 @bowl
Brown Rice Chicken Bowl|148|5|n|breast:0.12 brown-rice:0.1 lettuce:0.03 tomato:0.03 bowl:0.04
Laing and Tinapa Bowl|122|4|d|malunggay:0.08 coco-milk:0.08 tinapa:1 @bowl
# All-Day Silog|SL|express|main
Tapsilog|155|20|b|tapa:0.12 @silog
Tocilog|132|17|b|tocino:0.12 @silog
Longsilog|128|16|b|longganisa:3 @silog
Bangsilog|159|11|b|bangus:1 @silog
Hotsilog|118|9|b|hotdog:2 @silog
Spamsilog|139|10|b|spam:0.09 @silog
Cornsilog|129|8|b|corned-beef:0.1 onion:0.02 @silog
Chicksilog|134|11|b|thigh:1 flour:0.02 oil:0.03 @silog
Liemsilog|162|10|b|liempo:1 @silog
Chicken Tocilog|126|8|b|chix-tocino:0.12 @silog
Tuyosilog|98|4|b|tuyo:3 @silog
Tinapasilog|108|4|b|tinapa:1 salted-egg:0.5 @silog
Baconsilog|146|7|b|bacon:0.08 @silog
Embusilog|124|4|bd|embutido:1 @silog
# Noodles and Soups|NS|all|main
Pancit Bihon|112|13|m|bihon:0.11 cabbage:0.05 carrot:0.03 kasim:0.03 calamansi:0.01 @base
Pancit Canton|122|15|m|canton:0.11 cabbage:0.05 carrot:0.03 kasim:0.03 siomai:1 @base
Pancit Palabok|129|16|mx|luglug:0.13 palabok-sauce:0.12 shrimp:0.02 egg:0.5 chicharon:0.01 spring-onion:0.005
Sotanghon Guisado|124|7||sotanghon:0.09 breast:0.04 carrot:0.03 @base
Sweet-Style Spaghetti|108|14|kx|spaghetti:0.1 spag-sauce:0.12 hotdog:1 queso:0.015
Carbonara|128|8|k|spaghetti:0.1 cream:0.08 ham:0.03 cheese:0.015
Chicken Mami|98|13|h|mami-noodle:0.12 breast:0.05 chix-stock:0.12 spring-onion:0.01 egg:0.5
Beef Mami|118|12|h|mami-noodle:0.12 brisket:0.07 beef-stock:0.12 spring-onion:0.01
La Paz Batchoy|129|11|h|mami-noodle:0.12 kasim:0.04 chix-liver:0.02 chicharon:0.01 beef-stock:0.12 egg:1
Lomi|118|8|h|canton:0.12 meatball:2 egg:1 cornstarch:0.02 chix-stock:0.1
Arroz Caldo|92|14|bh|malagkit:0.05 rice:0.04 wings:1 ginger:0.015 chix-stock:0.1 egg:1 spring-onion:0.006
Goto|96|8|bh|malagkit:0.05 rice:0.04 tripe:0.07 ginger:0.012 beef-stock:0.1 spring-onion:0.006
Chicken Macaroni Soup|94|8|h|macaroni:0.05 ground-chix:0.04 evap:0.05 carrot:0.02 cabbage:0.02 chix-stock:0.1
Bulalo Solo|228|9|h|shank:0.3 pechay:0.06 cabbage:0.05 potato:0.05 beef-stock:0.2
Sinigang Rice Soup|138|6|hn|kasim:0.08 tamarind:0.02 kangkong:0.3 radish:0.03 rice:0.08
# Sizzling|SZ|all|main
Sizzling Sisig|189|24|k|sisig:0.2 onion:0.03 egg:1 mayo:0.02 chili:0.003 calamansi:0.015 @rice
Sizzling Chicken Sisig|182|11|k|breast:0.15 chix-liver:0.03 onion:0.03 egg:1 mayo:0.02 @rice
Sizzling Tofu|148|7||tofu:3 oyster:0.02 mayo:0.015 mushroom:0.03 @rice
Sizzling Bangus|198|9||bangus:1 onion:0.03 mayo:0.02 soy:0.02 @rice
Sizzling Burger Steak|165|12|k|patty:1 gravy:0.08 mushroom:0.03 butter:0.01 @rice
Sizzling Pork Chop|178|12||kasim:0.18 gravy:0.08 butter:0.01 @rice
Sizzling Beef Tips|218|10||beef-strips:0.16 gravy:0.06 mushroom:0.04 butter:0.015 @rice
Sizzling Squid|209|5||squid:0.18 oyster:0.03 bell-pepper:0.02 @rice
Sizzling Gambas|236|5|k|shrimp:0.16 tomato:0.04 bell-pepper:0.03 chili:0.002 @rice
Sizzling Liempo|199|10|k|liempo:1 gravy:0.06 @atchara @rice
# Classic Dishes|CD|all|main
Kare-Kare|235|13|k|oxtail:0.18 tripe:0.06 peanut:0.08 eggplant:0.05 sitaw:0.04 pechay:0.04 shrimp-paste:0.025 @rice
Sinigang na Baboy|198|17|h|kasim:0.18 tamarind:0.03 fish-sauce:0.012 kangkong:0.5 radish:0.04 eggplant:0.03 okra:0.02 @rice
Sinigang na Hipon|218|9|h|shrimp:0.13 tamarind:0.03 kangkong:0.5 radish:0.04 okra:0.02 @rice
Sinigang na Bangus|205|6|h|bangus:1 tamarind:0.03 kangkong:0.5 tomato:0.04 @rice
Chicken Tinola|168|10|h|thigh:1 ginger:0.02 malunggay:0.03 papaya:0.08 chix-stock:0.1 @rice
Nilagang Baka|212|8|h|brisket:0.16 cabbage:0.08 potato:0.06 bouillon:1 beef-stock:0.12 @rice
Chopsuey|142|8||cabbage:0.1 carrot:0.04 quail-egg:3 chix-liver:0.02 bell-pepper:0.02 oyster:0.02 @rice
Pinakbet|138|8||eggplant:0.06 ampalaya:0.05 okra:0.04 sitaw:0.05 kasim:0.05 shrimp-paste:0.015 @rice
Ginisang Monggo|108|7||mongo:0.09 malunggay:0.02 chicharon:0.01 tinapa:0.5 @rice
Ginataang Langka|122|4||langka-raw:0.14 coco-milk:0.1 dilis:0.01 @rice
Adobong Kangkong|88|5||kangkong:1 adobo-base:0.03 garlic:0.008 @rice
Tortang Talong|96|8|b|eggplant:0.14 egg:2 ground-pork:0.03 @rice
Beef Broccoli-Style Pechay|176|4|d|beef-strips:0.12 pechay:0.1 oyster:0.03 @rice
Dinuguan|142|5||kasim:0.14 vinegar:0.03 green-chili:0.01 @rice
# Sandwiches|SW|kiosk|main
Classic Burger|98|16|m|bun:1 patty:1 lettuce:0.02 tomato:0.03 ketchup:0.015 mayo:0.01
Cheeseburger|112|18|mk|bun:1 patty:1 cheese:0.02 ketchup:0.015 mayo:0.01
Double Cheeseburger|168|9|k|bun:1 patty:2 cheese:0.04 ketchup:0.02 mayo:0.01
Crispy Chicken Sandwich|124|15|m|bun:1 thigh:1 flour:0.02 oil:0.03 lettuce:0.02 mayo:0.015
Adobo Flakes Pandesal, 2 Pieces|84|9|bm|pandesal:2 breast:0.06 adobo-base:0.02
Kesong Puti Pandesal, 2 Pieces|88|6|b|pandesal:2 kesong-puti:0.05 tomato:0.02
Corned Beef Pandesal, 2 Pieces|82|8|b|pandesal:2 corned-beef:0.06
Ham and Cheese Melt|92|10|bm|loaf:2 ham:0.04 queso:0.025 butter:0.008
Clubhouse|148|7||loaf:3 ham:0.03 breast:0.05 egg:1 lettuce:0.02 tomato:0.03 mayo:0.02
Jumbo Hotdog Sandwich|86|12|mk|hotdog-bun:1 hotdog:1 ketchup:0.015 mayo:0.01
# Snacks|MR|kiosk|side
Lumpiang Shanghai, 6 Pieces|98|22|mkx|lumpia:6 oil:0.03 sweet-chili:0.02
Fresh Vegetable Lumpia|78|8|m|lumpia-wrapper:1 cabbage:0.05 carrot:0.02 bean-sprouts:0.03 kamote:0.02 peanut:0.02
Fried Vegetable Lumpia, 2 Pieces|62|8|m|lumpia-veg:2 oil:0.02 spiced-vinegar:0.02
Pork Siomai, 4 Pieces|58|18|m|siomai:4 soy:0.01 calamansi:0.008
Kikiam and Fish Balls|55|10|m|fishball:10 sweet-chili:0.03 oil:0.02
Turon, 2 Pieces|56|17|m|turon:2 jackfruit:0.02 brown-sugar:0.03 oil:0.03
Banana Cue, 3 Pieces|48|12|m|banana-saba:3 brown-sugar:0.04 oil:0.03
Camote Cue, 3 Pieces|45|7|m|kamote:0.18 brown-sugar:0.04 oil:0.03
Chicken Nuggets, 6 Pieces|89|12|k|nuggets:6 oil:0.02 ketchup:0.02
French Fries|68|24|mk|potato:0.16 oil:0.04 salt:0.002 ketchup:0.015
Cheesy Fries|84|12|mk|potato:0.16 oil:0.04 queso:0.03
Crispy Chicken Skin|72|9|m|chix-skin:0.07 spiced-vinegar:0.03
Tokwa't Baboy|94|8|m|tofu:2 kasim:0.05 soy:0.03 vinegar:0.03 onion:0.015
Ensaymada|58|11|bmx|ensaymada:1 butter:0.008 cheese:0.008
# Sides and Extras|SX|express|side
Extra Rice|32|58||@rice
Extra Garlic Rice|42|30|b|@garlicrice
Brown Rice|45|5||brown-rice:0.1
Crab Fat Rice|68|6|n|@rice crab-paste:0.03 garlic:0.004
Fried Egg|25|20|b|egg:1 oil:0.008
Salted Egg and Tomato|42|6|b|salted-egg:1 tomato:0.04
Atchara|28|7||@atchara @atchara
Soup of the Day|35|12|h|chix-stock:0.08 malunggay:0.01 egg:0.25
Mashed Potato|48|7|k|potato:0.14 milk:0.03 butter:0.01 gravy:0.02
Coleslaw|45|5||cabbage:0.08 carrot:0.02 mayo:0.025
Ensaladang Talong|58|5||eggplant:0.12 tomato:0.04 onion:0.02 vinegar:0.01
Chicharon Side|52|8||chicharon:0.035 spiced-vinegar:0.03
Extra Gravy|18|9|k|gravy:0.04
Bagoong|22|6||shrimp-paste:0.03
Chicken Oil and Dip|20|9||chix-oil:0.02 @dip
# Sharing Platters|SH|all|share
Crispy Pata|628|8|k|pata:1 oil:0.2 @dip @dip
Inasal Platter for Four|649|7|k|inasal:4 rice:0.4 chix-oil:0.06 @dip @dip @atchara
Grill Platter|798|6|kx|inasal:2 liempo:2 bbq:4 squid:0.15 rice:0.4 @atchara @atchara @dip
Pancit Bihon Bilao|485|5|kx|bihon:0.6 cabbage:0.25 carrot:0.15 kasim:0.18 calamansi:0.05 @base @base
Palabok Bilao|545|6|kx|luglug:0.7 palabok-sauce:0.65 shrimp:0.1 egg:3 chicharon:0.05
Kare-Kare for Sharing|575|4|k|oxtail:0.5 tripe:0.15 peanut:0.24 eggplant:0.15 sitaw:0.12 shrimp-paste:0.08
Sinigang for Sharing|498|5|kh|kasim:0.5 tamarind:0.08 kangkong:1.5 radish:0.12
Bulalo for Sharing|645|5|kh|shank:0.9 pechay:0.2 cabbage:0.15 potato:0.2 beef-stock:0.6
Seafood Boodle|1280|2|k|shrimp:0.35 squid:0.3 bangus:2 tilapia:1 rice:0.7 tomato:0.1 @dip @dip @dip
Lechon Kawali Platter|468|5|kx|lechon:0.45 liver-sauce:0.1 @atchara @dip
# Desserts|DS|kiosk|sweet
Halo-Halo|98|22|cm|ice:0.3 ube:0.03 leche:0.5 red-beans:0.03 nata:0.03 kaong:0.02 evap:0.06 ice-cream:0.05 bowl:0.04
Halo-Halo Special|128|14|cmk|ice:0.3 ube:0.05 leche:1 red-beans:0.03 nata:0.03 jackfruit:0.03 ice-cream:0.08 evap:0.06 bowl:0.04
Mais con Yelo|78|8|cm|ice:0.3 evap:0.06 sugar:0.02 pinipig:0.015 bowl:0.04
Leche Flan|68|13|kx|leche:1
Ube Halaya Cup|62|7|x|ube:0.1
Buko Pandan|66|9|kx|coconut:0.08 gulaman:0.006 cream:0.04 condensed:0.02
Mango Graham Cup|88|8|ck|mango:0.08 cream:0.05 condensed:0.025
Turon a la Mode|92|8|m|turon:1 jackfruit:0.01 vanilla:0.08 brown-sugar:0.02
Ube Cake Slice|96|7|x|halaya-cake:1
Ginataang Halo-Halo|74|6|mh|coco-milk:0.1 kamote:0.05 banana-saba:1 tapioca:0.02 malagkit:0.03
Champorado|68|9|bh|malagkit:0.07 choco:0.025 evap:0.03 sugar:0.02
Champorado with Dilis|82|5|bh|malagkit:0.07 choco:0.025 evap:0.03 sugar:0.02 dilis:0.012
Fruit Salad Cup|72|5|x|pineapple:0.05 nata:0.03 kaong:0.02 cream:0.05 condensed:0.02
Ice Cream Scoop|48|9|ck|ice-cream:0.09
# Coffee and Chocolate|CF|kiosk|drink|hot
Barako Coffee|62/78|18|b|coffee:0.014 sugar:0.008
Cafe Latte|98/118|10|bm|espresso:0.016 milk:0.18
Cappuccino|98/118|6|b|espresso:0.016 milk:0.15
Americano|82/98|9|b|espresso:0.016
Spanish Latte|112/132|9|bm|espresso:0.016 milk:0.15 condensed:0.02
Tsokolate|88/108|8|bhx|choco:0.03 milk:0.15 sugar:0.01
Salabat|58/72|5|h|ginger:0.02 brown-sugar:0.02
Hot Tea|52/65|3|h|tea:0.003
Ube Latte|118/138|7|mn|espresso:0.012 milk:0.16 ube:0.03
# Coolers|CL|kiosk|drink|cold
House Iced Tea|52/68|44||iced-tea:0.022
Calamansi Juice|58/74|22|c|calamansi-juice:0.03 sugar:0.015
Sago't Gulaman|54/70|20|cm|sago-syrup:0.03 tapioca:0.02 gulaman:0.003
Buko Juice|64/82|13|c|buko-juice:0.2 coconut:0.02
Mango Shake|96/118|14|c|mango-puree:0.08 milk:0.06 sugar:0.015
Watermelon Shake|88/108|9|c|watermelon:0.2 sugar:0.015
Melon Juice|62/78|8|c|melon:0.12 milk:0.03 sugar:0.015
Pineapple Juice|60/76|8||pineapple:0.14 sugar:0.01
Iced Latte|108/128|9|m|espresso:0.016 milk:0.14
Iced Spanish Latte|118/138|9|mn|espresso:0.016 milk:0.13 condensed:0.025
Brown Sugar Milk Tea|98/118|10|m|tea:0.004 sago-syrup:0.03 milk:0.12 tapioca:0.03
# Bottled Drinks|BT|kiosk|drink
Soft Drink in Can|58|26||softdrink:1
Bottled Water|35|30||water:1
Beer|92|8|k|beer:1
Root Beer Float|98|5|mkd|softdrink:1 vanilla:0.08 cup16:0.02 straw:0.01
# Bundles|BN|express|share
Barkada Bundle for Three|489|7|k|inasal:3 rice:0.3 iced-tea:0.066 cup12:0.06 straw:0.03 box:0.04
Barkada Bundle for Five|798|5|k|inasal:5 rice:0.5 lumpia:6 iced-tea:0.11 cup12:0.1 straw:0.05 box:0.08
Merienda Bundle|268|6|m|lumpia:6 turon:2 canton:0.12 iced-tea:0.044 cup12:0.04 straw:0.02 box:0.04
Silog Duo Bundle|258|5|b|tapa:0.12 longganisa:3 rice:0.2 egg:2 coffee:0.028 cup12:0.04 box:0.08
Sisig and Rice Bundle|329|5|k|sisig:0.35 rice:0.3 iced-tea:0.066 cup12:0.06 straw:0.03 box:0.04
Noche Buena Bundle|1180|1|xx|inasal:4 lumpia:12 spaghetti:0.4 spag-sauce:0.45 leche:2 box:0.12
# Christmas|XM|kiosk|sweet
Bibingka|88|9|xx|bibingka:0.14 salted-egg:0.25 cheese:0.012 coconut:0.02
Puto Bumbong|84|8|xx|puto-bumbong:0.12 rice-flour:0.02 brown-sugar:0.02 coconut:0.02 butter:0.01
Bibingka and Tsokolate Set|158|5|xx|bibingka:0.14 salted-egg:0.25 choco:0.03 milk:0.15 cup12:0.02
Queso de Bola Ensaymada|98|4|xx|ensaymada:1 cheese:0.03 butter:0.012";
