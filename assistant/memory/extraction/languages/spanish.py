"""Spanish."""

from __future__ import annotations

from assistant.memory.extraction.languages.rule import Language, compiled, joints, openers, rules, tails

_ADV = (
    r"(?:(?:también|actualmente|ahora|todavía|aún|siempre|sobre todo|realmente|a menudo|nunca|ya"
    r"|recientemente|por fin|solo|sólo|muy|mucho|bastante|principalmente|normalmente|originalmente|más"
    r"|casi|bien|tan|gravemente|los dos|ambos|completamente|no|prácticamente|además) )*"
)
_HEAD = (
    r"(?:(?:desde|en|el|la|los|las|al|a|este|esta|cada|todos|todas|para|antes|después|hasta|actualmente"
    r"|hoy|mañana|ayer|ahora|por la|por las|normalmente|generalmente|hace|con|durante|de lunes|a partir"
    r"|de)\b[^,;:.!?]{0,45}?,? )?"
)
_YO = (
    rf"{_HEAD}(?:yo |nosotros |nosotras |mi familia y yo )?(?:no |ya no |nunca |también |siempre |ahora "
    rf"|ya |casi nunca |casi siempre )*"
)
_NAME = r"(?-i:[A-ZÁÉÍÓÚÑ][\wáéíóúñ'’-]+)"
_SAME_ONE = (
    r"(?:mujer|esposa|esposo|marido|pareja|novi[oa]|prometid[oa]|ex(?:-?\w+)?|madre|padre|mamá|papá"
    r"|padres|suegr[oa]s?|herman[oa]s?|cuñad[oa]s?|gemel[oa]s?|melliz[oa]s?|hij[oa]s?|beb[ée]s?"
    r"|abuel[oa]s?|niet[oa]s?|tí[oa]s?|prim[oa]s?|sobrin[oa]s?|familia|compañer[oa]s?(?: de piso)?"
    r"|vecin[oa]s?|jef[ea]|médic[oa]|mejor amig[oa]|amig[oa]"
    r"|perr[oa]s?|perrit[oa]|gat[oa]s?|gatit[oa]s?|cachorr[oa]s?|conejos?|hámster|loro|caballos?|yegua"
    r"|poni|pez|peces|tortugas?|mascotas?|labrador|caniche)"
)
_KIN = (
    rf"(?:(?:dos|tres|cuatro|viej[oa]|nuev[oa]|querid[oa]|únic[oa]|segund[oa]) )*{_SAME_ONE}(?: (?:mayor"
    rf"|menor|pequeñ[oa]|gemel[oa]|peque|mediana|mediano))?"
)
_OURS = r"(?:mis?|nuestr[oa]s?)"
_DOES = (
    r"(?:se (?:llaman?|casan?|jubiló|mudó|mudaron|dedica|apellida)|viven?|trabajan?|estudian?|hablan?"
    r"|juegan?|toca|ama|aman|adora|adoran|odia|odian|prefiere|colecciona|enseña|da clases|comen?|beben?"
    r"|no (?:comen?|beben?|viven?|tienen?|toleran?|puede comer|trabajan?|hablan?)|tienen? (?!que\b"
    r"|un problema)|tuvo|cumplen?|cumplió|cumplirá|nació|nacieron|es (?!(?:muy|que|lo|malo|tarde)\b)\w"
    r"|son (?!(?:muy|las)\b)\w|era|fue|viene|vienen|murió"
    r"|está (?:casad|jubilad|embarazad|divorciad|estudiando|viviendo|aprendiendo|en (?!casa)"
    r"|de erasmus)\w*|están (?:casad|jubilad|divorciad|estudiando|viviendo|en)\w*|le (?:gusta|encanta"
    r"|dan)n?|les (?:gusta|encanta)n?|y yo|empieza|empezó|corre|canta|va a(?:l)?|van a(?:l)?|cocina"
    r"|conduce|pesa)"
)
_TENGO = (
    rf"(?:{_KIN}|alergias?|diabetes|asma|tdah|migrañas?|epilepsia|celiaquía|enfermedad celíaca"
    rf"|intolerancia|carn[ée]t?|licencia|coche|carro|auto|bici(?:cleta)?|moto|barco|autocaravana|casa"
    rf"|piso|departamento|apartamento|jardín|huerto|terraza|balcón|piano|guitarra|violín|batería|colmenas"
    rf"|gallinas|doctorado|máster|maestría|grado|título|carrera|empresa|tienda|restaurante|panadería|bar"
    rf"|tatuajes?|ojos|pelo|cabello|miedo a|fobia|vértigo|abono|suscripción|colección|nacionalidad"
    rf"|pasaporte|acuario|gafas|hipertensión)"
)
_TRIP = (
    r"(?:boda|examen|entrevista|operación|vuelo|vacaciones|cumpleaños|maratón|graduación|defensa|viaje"
    r"|concierto|parto|mudanza|cita|contrato|primer día|aniversario|jubilación|oposición)"
)
_VECES = (
    r"(?:tod[oa]s l[oa]s (?:días|mañanas|tardes|noches|semanas|fines de semana|lunes|martes|miércoles"
    r"|jueves|viernes|sábados|domingos|meses|años|veranos|inviernos)|cada (?:día|mañana|noche|semana|mes"
    r"|año|verano|invierno|lunes|martes|miércoles|jueves|viernes|sábado|domingo)|los (?:lunes|martes"
    r"|miércoles|jueves|viernes|sábados|domingos|fines de semana)"
    r"|(?:una vez|dos|tres|cuatro|cinco|\d+) ?(?:veces|días)? (?:a la semana|por semana|al día|al mes"
    r"|al año)|diariamente|a diario|antes de(?:l)? (?:trabajar|trabajo|desayunar)"
    r"|después de(?:l)? trabajo|por las (?:mañanas|tardes|noches))"
)

SPANISH = Language(
    tag="es",
    rules=(
        *rules(
            "relation",
            rf"{_OURS} {_KIN},? (?P<who>{_NAME}),? {_DOES}",
            rf"{_OURS} {_KIN}(?: y {_OURS} {_KIN})?,? {_DOES}",
            rf"(?P<who>{_NAME}) es {_OURS} {_KIN}\b|el (?:nombre|cumpleaños) de {_OURS} {_KIN} es\b"
            rf"|a {_OURS} {_KIN} (?:no )?les? (?:gusta|encanta|da)n?\b",
            rf"{_YO}(?:tengo|tenemos) {_ADV}(?:un[oa]?|dos|tres|cuatro|cinco|\d+"
            rf"|vari[oa]s)? ?(?:[\wáéíóúñ-]+ ){{0,3}}?{_KIN}\b",
            rf"{_YO}(?:estoy|estamos) {_ADV}(?:casad|divorciad|comprometid|separad|embarazad|prometid"
            rf"|solter)[oa]s?\b|{_YO}soy {_ADV}(?:solter|viud|divorciad|hij)[oa]\b(?: únic[oa])?"
            rf"|{_YO}soy (?:madre|padre|mamá|papá)\b",
            rf"{_YO}(?:me casé|nos casamos|me divorcié|nos divorciamos|adopté|adoptamos)\b"
            rf"|{_YO}vivo {_ADV}(?:con|sol[oa])\b|somos (?:dos|tres|cuatro|cinco|seis) (?:herman\w+"
            rf"|en casa|en la familia)",
        ),
        *rules(
            "preference",
            rf"(?:a mí |a nosotros )?(?:no |nunca |también |siempre )*(?:me|nos) (?:gustan?|encantan?"
            rf"|fascinan?|apasionan?|interesan?|chiflan?|dan? (?:miedo|asco|alergia|pánico)|molestan?"
            rf"|flipan?|horrorizan?|entusiasman?) (?!(?:eso|esto|tu|la idea|saber|cómo|que me"
            rf"|lo que)\b){_ADV}[\wáéíóúñ]",
            rf"{_YO}(?:prefiero|preferimos|odio|odiamos|adoro|adoramos|detesto|amo|aborrezco|disfruto"
            rf"|disfrutamos) {_ADV}(?!(?:eso|esto|que (?:me|tú)|cuando)\b)[\wáéíóúñ]",
            rf"{_YO}(?:soporto|aguanto) {_ADV}(?!(?:eso|esto|más)\b)\w"
            rf"|{_YO}soy {_ADV}(?:un[oa]? )?(?:gran )?(?:fan|aficionad[oa]|fanátic[oa]|amante"
            rf"|apasionad[oa]|adict[oa]|forof[oa]|hincha) (?:de|del|a|al)\b",
            rf"(?:{_OURS}|uno de mis|una de mis) (?:[\wáéíóúñ-]+ ){{1,3}}?(?:favorit[oa]s?"
            rf"|preferid[oa]s?)(?: [\wáéíóú-]+){{0,4}} (?:es|son|era|sigue)\b|{_OURS} (?:pasión|pasiones"
            rf"|hobb(?:y|ies)|afición|aficiones|pasatiempos?|debilidad)(?: \w+){{0,2}} (?:es|son)\b"
            rf"|lo que más me gusta\b|{_YO}tengo (?:mucho |pánico |bastante )?(?:miedo|pánico|fobia"
            rf"|vértigo) ?(?:a|al)?\b",
        ),
        *rules(
            "fact",
            rf"{_YO}(?:vivo|vivimos|resido|residimos|vengo|procedo|vivía|vivíamos) {_ADV}(?:en|a|cerca"
            rf"|con|sol[oa]|de|del|desde|aquí|junto|al|entre|fuera|por)\b",
            rf"{_YO}(?:soy|somos) (?:originari[oa]s? )?(?:de|del)\b (?!(?:los que|las que|l[oa]s)\b)\w"
            rf"|{_YO}(?:nací|nacimos|crecí|crecimos|me crié|nos criamos|viví|vivimos) (?:en|cerca|el|hace"
            rf"|durante|entre|\w+ años)",
            rf"{_YO}(?:he|hemos) vivido\b|{_YO}llevo \w+.{{0,20}}? (?:años|meses|semanas"
            rf"|décadas)?\b.*(?:viviendo|trabajando|aprendiendo|estudiando|jugando|tocando|casad[oa]|sin"
            rf"|siendo|en|como|de|con)\b|{_YO}llevo gafas\b",
            rf"{_YO}me llamo\b|{_OURS} (?:nombre|apellido|segundo nombre|apodo)s? (?:completo )?es\b"
            rf"|(?:todos|mis amigos|todo el mundo|la gente) me (?:llaman?|dicen?)\b|me apellido\b"
            rf"|me dicen {_NAME}",
            rf"{_YO}(?:tengo|tenemos|cumplo|cumplí|cumpliré|voy a cumplir) (?:los )?(?:\d{{1,3}}"
            rf"|[\wáéíóú]+(?: y [\wáéíóú]+)?) años\b|{_YO}(?:cumplo|cumplí|acabo de cumplir) (?:\d{{1,3}}"
            rf"|los \w+)\b",
            rf"{_OURS} (?:cumpleaños|lengua materna|idioma nativo|grupo sanguíneo|signo|talla"
            rf"|nacionalidad|profesión|trabajo|empresa|oficio|dirección|ciudad natal|código postal"
            rf"|religión|oficina|puesto|coche|carro|bici|moto|casa|piso|jardín|ordenador|móvil|teléfono"
            rf"|portátil|escuela|universidad|carrera|contrato|sueldo|altura|equipo|jornada|horario) (?:es"
            rf"|son|está|se llama|dura|cae|tiene|queda|mide)\b(?! (?:rot[oa]|lent[oa]|muy|averiad[oa]"
            rf"|llen[oa]|mal|list[oa]))",
            rf"{_YO}(?:trabajo|trabajamos|trabajaba|estudio|estudiamos|estudié|enseño|dirijo|gestiono"
            rf"|llevo un[oa]? (?:tienda|bar|restaurante|negocio|empresa|granja)|tengo un[oa] (?:tienda"
            rf"|bar|restaurante|negocio|empresa|granja|panadería)|regento|doy clases?|juego|jugamos|toco"
            rf"|hablo|hablamos|colecciono|canto|cultivo|crío|practico|practicamos|aprendo|conduzco|manejo"
            rf"|bailo|pinto|coso|cocino|nado|corro|entreno|escribo|hago|me dedico|soy voluntari[oa]"
            rf"|programo|monto)\b {_ADV}(?!(?:esto|eso|una pregunta|lo (?:que|mismo)"
            rf"|preguntas?)\b)[\wáéíóúñ\d]",
            rf"{_YO}(?:estoy|estamos) {_ADV}(?:estudiando|trabajando|aprendiendo|viviendo|haciendo (?:un"
            rf"|el|mi)|escribiendo (?:un|mi)|jubilad[oa]s?|en (?:paro|el paro|excedencia|prácticas"
            rf"|segundo|tercer|cuarto|primer|último)|de (?:baja|erasmus)|sacándome"
            rf"|preparando (?:oposiciones|mi|un|una)|desemplead[oa])\b(?! (?:en esto|con un problema))",
            rf"{_YO}(?:soy|somos) {_ADV}(?!(?:consciente|nuev[oa] (?:aquí|en esto)|yo|el que|la que"
            rf"|un desastre|tont[oa]|idiota|capaz|incapaz|feliz|un poco|muy|así|quien|tod[oa]"
            rf"|de l[oa]s)\b)(?:un[oa]? |el |la |[\wáéíóúñ])",
            rf"{_YO}(?:como|comemos|bebo|bebemos|fumo|fumamos|conduzco|veo|uso|tomo|tomamos|tolero"
            rf"|digiero|leo|nado|cocino|llevo|bailo|vuelo|puedo (?:comer|beber|tomar)) {_ADV}(?:carne"
            rf"|pescado|marisco|gluten|lactosa|alcohol|café|leche|azúcar|cerdo|lácteos|ni|nada de|solo"
            rf"|sólo|sin|gafas|lentillas|audífonos|insulina|(?-i:[A-Z])|la tele|el café|\d)\b",
            r"(?:no|ya no|nunca) (?:fumo|bebo|conduzco|cocino|nado|bailo|vuelo|como|tomo|veo|trabajo|uso"
            r"|tengo (?:coche|carro|hijos|hermanos|mascotas|carn[ée]t?))\b",
            rf"{_YO}(?:tengo|tenemos|padezco|sufro(?: de)?) {_ADV}(?:un[oa]?s?|dos|tres|cuatro|\d+|el|la"
            rf"|los|las|mi|mucho)? ?(?:[\wáéíóúñ-]+ ){{0,4}}?{_TENGO}\b",
            rf"{_YO}(?:sé|sabemos) (?:nadar|tocar|hablar|coser|cocinar|conducir|leer|esquiar|tejer|cantar"
            rf"|bailar|montar)\b|{_YO}mido \d|{_YO}peso \d|{_YO}(?:antes )?(?:trabajaba|vivía|fumaba"
            rf"|jugaba|tocaba|era|daba clases) (?:en|de|como|con|a|al|el|la|mucho|un[oa]?|\w+(?:or|ora"
            rf"|ista|er[oa]|ente))\b",
        ),
        *rules(
            "event",
            rf"{_YO}(?:me mudé|nos mudamos|me he mudado|nos hemos mudado|me trasladé|me jubilé|me gradué"
            rf"|me licencié|me apunté|me rompí|me ascendieron|me despidieron|me contrataron"
            rf"|me diagnosticaron|me operaron|me cambié de|emigré|compré|compramos|adopté|vendí|vendimos"
            rf"|heredé|aprobé|empecé|empezamos|dejé|dejamos|renuncié|fundé|fundamos|abrí|abrimos|publiqué"
            rf"|gané|terminé|perdí (?:a mi|mi)|saqué|conseguí|corrí|nos conocimos|tuvimos (?:un|una"
            rf"|nuestr)|tuve (?:un|una) (?:hij|beb|niñ|accidente)\w*)\b(?! (?:un error|a tener))",
            rf"{_YO}(?:he|hemos|acabo de|acabamos de|me he|nos hemos) {_ADV}(?:mudado|comprado|adoptado"
            rf"|vendido|aprobado|empezado|dejado|terminado|cambiado de|sacado|conseguido|mudarme|mudarnos"
            rf"|comprar(?:me|nos)?|adoptar|empezar|dejar|cambiar de|aprobar|sacarme|jubilarme|apuntado"
            rf"|apuntarme|jubilado|graduado|ascendido|heredado|fundado|abierto)\b(?! (?:un error|a tener))",
        ),
        *rules(
            "plan",
            rf"{_YO}(?:he|hemos) {_ADV}(?:decidido|elegido|optado|acordado|resuelto)\b|{_YO}(?:decidí"
            rf"|decidimos|me decidí|acordamos|optamos|elegimos)\b (?:que|por|no|\w+r|la|el|un)"
            rf"|{_YO}(?:vamos|voy) a (?:cambiar|dejar|adoptar|migrar|pasar|empezar|aprender|sustituir"
            rf"|usar|mudar)\w*\b|{_YO}(?:pasamos|cambiamos|migramos) (?:a|de)\b",
            rf"{_OURS} (?:plan|objetivo|meta|sueño|propósito|decisión)(?: para [\wñ ]{{2,20}})? es\b",
        ),
        *rules(
            "plan",
            rf"{_YO}(?:voy|vamos|viajo|viajamos|me mudo|nos mudamos|me caso|nos casamos|empiezo|empezamos"
            rf"|vuelo|volamos|salgo|salimos|planeo|planeamos|pienso|pensamos|pienso|corro|celebro|visito"
            rf"|visitamos|estaré|estaremos|tendré|iré|iremos|haré|enviaré|debo|termino|me jubilo"
            rf"|me gradúo|me operan|doy a luz|tengo|tenemos|paso|pasamos|entrego|cojo|volveré|regreso)\b",
            rf"{_OURS} (?:[\wáéíóú]+ )?{_TRIP} (?:es|son|será|empieza|empiezan|termina|cae|vence)\b",
            needs_date=True,
        ),
        *rules(
            "fact",
            rf"{_YO}(?!(?:necesito|quiero|quisiera|debo|puedo|tengo|estoy|creo|pienso|espero|recibo"
            rf"|me (?:sale|da|pasa|pregunto))\b)(?:me |nos )?[\wáéíóúñ]+(?:o|oy|emos|amos"
            rf"|imos) (?:[\wáéíóúñ,/-]+ ){{0,12}}?{_VECES}",
            rf"{_VECES},? (?:no |siempre |me |nos )*(?!(?:necesito|quiero|tengo|estoy|creo|pienso"
            rf"|recibo)\b)[\wáéíóúñ]+(?:o|oy|emos|amos|imos)\b",
            r"(?:yo )?(?:siempre|nunca|casi siempre|casi nunca|normalmente|generalmente|suelo|solemos"
            r"|a menudo|rara vez|por lo general) (?:me |nos )?(?!(?:necesito|quiero|he|había|entiendo"
            r"|entendí|olvido|recibo|tengo)\b)[\wáéíóúñ]+",
            rf"{_YO}me (?:levanto|despierto|acuesto|ducho) (?:a|sobre|temprano|tarde|muy|siempre)\b",
        ),
    ),
    openers=openers(
        r"por cierto|a propósito|para tu información|para que lo sepas|que sepas que|ah|oh|bueno|pues|y"
        r"|pero|hola|buenas|buenos días|buenas tardes|ok|vale|sí|la verdad|sinceramente|honestamente"
        r"|para ser sincer[oa]|de hecho|en realidad|dato|contexto|para dar contexto|un poco de contexto"
        r"|sobre mí|te cuento|os cuento|te comento"
        r"|me presento|encantad[oa]|mucho gusto|gracias|genial|buenas noticias|buena noticia|gran noticia"
        r"|novedades|personalmente|ps|p\.d\.|pd|además|como sabes|cabe mencionar que|debo decir que"
        r"|debes saber que|entonces|así que|fyi",
        before_comma="no",
    ),
    subject=compiled(
        r"(?:yo|mis?|nuestr[oa]s?|nosotr[oa]s|él|ella|ellos|ellas|esto|eso|tú|puedes|podrías|qué|cómo|su"
        r"|sus|me (?:gusta|encanta|llamo|mud|cas|dan? )\w*|nos \w+|no (?:me|como|bebo|fumo|tengo|puedo"
        r"|soy)|vivo|vivimos|trabajo|trabajamos|tengo|tenemos|soy|somos|estoy|estamos|hablo|prefiero"
        r"|odio|necesito|quiero|estudio|juego|toco|llevo|voy|vamos|busco|hago|como|bebo|suelo|cumplo"
        r"|nací|crecí|compré|él es|ella es)\b"
    ),
    joints=joints(r"y|e|pero|así que|y también|además|aunque|por eso"),
    tails=tails(r"por cierto|gracias|por favor|también|sabes|si ayuda|para que lo sepas|la verdad|eh"),
    passing=compiled(
        r"\b(?:error|errores|bug|excepción|deberes|tarea de|mi código|este código|el código|script"
        r"|captura)\b|\b(?:busco|buscamos|necesito|necesitamos|intento|estoy intentando|me pregunto|no sé"
        r"|no entiendo|quisiera|me gustaría|creo|espero|dudo)\b"
        r"|\b(?:una pregunta|preguntas|un problema|una duda|ayuda|perdid[oa]|atascad[oa]|cansad[oa]"
        r"|enferm[oa]|hambre|sueño|sed|prisa|estresad[oa]|razón)\b(?! de)|\b(?:me gusta"
        r"|me encanta) (?:eso|esto)\b|\ben este momento$|\btengo que\b"
        r"|\b(?:quizás?|tal vez|a lo mejor|probablemente|posiblemente|supuestamente)\b"
        r"|\bno tengo tiempo\b|\b(?:primera?|segunda?|última?|otra) (?:versión|opción|respuesta|propuesta"
        r"|solución|idea)\b"
        r"|\b(?:eso|esto|ello|aquello)$"
    ),
    moods=compiled(
        r"\b(?:estoy|me siento|está|se siente)\b.{0,20}\b(?:cansad|trist|content|enfadad|estresad|enferm"
        r"|agotad|list|preocupad|aburrid|feliz|nervios|ocupad|de (?:buen|mal) humor)\w*|\btengo (?:hambre"
        r"|sed|frío|calor|sueño|prisa|ganas)\b|\b(?:busco|buscamos|busca)\b|^(?:gracias|hola)\b"
    ),
)
